// Dialogs: a new game, the list of games, opening a text, rules, settings.

import { button, byId, capital, element, sideName, svgOf } from "./dom.js";
import { LANGUAGES, t } from "./words.js";

const dialog = byId("dialog");
const BEGINNER = 1; // which level with a name is offered first
const MAX_FILE = 700000; // bytes: a message to the server has its limit
const PATIENCE = 400; // ms before it is said why nothing happens

// Show a dialog; buttons are pairs of a label and what it does, which may throw to keep the dialog open.
export function showDialog(title, body, buttons) {
  byId("dialog-title").textContent = title;
  byId("dialog-body").replaceChildren(...body);
  byId("dialog-error").textContent = "";
  const made = buttons.map(([label, action], index) =>
    button(label, () => act(action), { className: index ? "" : "primary" }),
  );
  byId("dialog-buttons").replaceChildren(...made, button(t("Close"), () => dialog.close()));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  dialog.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    if (buttons.length) act(buttons[0][1]);
  };
}

async function act(action) {
  byId("dialog-error").textContent = "";
  const buttons = [...byId("dialog-buttons").children];
  buttons.forEach((each) => (each.disabled = true));
  const waiting = setTimeout(() => (byId("dialog-status").textContent = t("One moment: the first time, this takes up to 30 seconds.")), PATIENCE);
  try {
    if ((await action()) !== false) dialog.close();
  } catch (error) {
    byId("dialog-error").textContent = t(error.message);
  } finally {
    clearTimeout(waiting);
    byId("dialog-status").textContent = "";
    buttons.forEach((each) => (each.disabled = false));
  }
}

export function field(label, control, help) {
  const text = element("span", { textContent: label });
  return element("label", { className: "field" }, text, control, help ? element("span", { className: "small", textContent: help }) : null);
}

// A field whose control is made of several, each with a label of its own.
function group(label, control, help) {
  const made = field(label, control, help);
  return element("div", { className: made.className, role: "group", "aria-label": label }, ...made.childNodes);
}

// Boxes to check; what is checked is joined by + in `value`.
function severalOf({ name, choices, default: usual }) {
  const boxes = choices.map(([value]) => element("input", { type: "checkbox", value }));
  const made = element("span", { className: "boxes", name }, ...choices.map(([, words], index) => element("label", {}, boxes[index], words)));
  Object.defineProperty(made, "value", {
    get: () => boxes.filter((box) => box.checked).map((box) => box.value).join("+"),
    set: (value) => boxes.forEach((box) => (box.checked = value.split("+").includes(box.value))),
  });
  made.value = usual;
  return made;
}

export function select(name, options, value) {
  const made = element("select", { name });
  for (const [key, text] of options) made.append(element("option", { value: key, textContent: text, selected: key === value }));
  return made;
}

// A form for a game with its variant and options, those of the spec `chosen` first; `spec()` returns its text.
// If it `proposes`, it fills in what is usual where the rules of the game leave it out.
export class SpecForm {
  constructor(games, chosen, proposes = false) {
    this.games = games;
    this.onChange = () => {};
    const [head, ...settings] = chosen.split(",");
    const [name, variant = ""] = head.split(":");
    this.game = select("game", games.map((game) => [game.name, game.title]), name);
    this.game.onchange = () => this.build(proposes);
    this.variant = element("div");
    this.options = element("div", { className: "options" });
    this.details = element("details", { open: settings.length > 0 }, element("summary", { textContent: t("Options") }), this.options);
    this.summary = element("p", { className: "small" });
    this.root = element(
      "div",
      {},
      field(t("Game"), this.game),
      this.summary,
      this.variant,
      this.details,
    );
    this.build(proposes && !settings.length);
    if (this.description.variants.some(([key]) => key === variant)) this.variants.value = variant;
    for (const [key, value] of settings.map((setting) => setting.split("="))) {
      const [option, control] = [...this.controls].find(([each]) => each.name === key) ?? [];
      if (!control) continue;
      if (option.kind === "boolean") control.checked = value !== "0";
      else {
        if (control.tagName === "SELECT" && !option.choices.some(([key]) => key === value)) control.append(element("option", { value, textContent: value }));
        control.value = value;
      }
    }
  }

  get description() {
    return this.games.find((game) => game.name === this.game.value);
  }

  build(proposes) {
    const game = this.description;
    this.summary.textContent = `${capital(t(game.summary))}.`;
    this.variants = game.variants.length ? select("variant", game.variants.map(([key, words]) => [key, t(words)]), "") : null;
    this.variant.replaceChildren(...(this.variants ? [field(t("Variant"), this.variants)] : []));
    this.controls = new Map();
    const rows = game.options.map((option) => {
      const control = this.control(option);
      this.controls.set(option, control);
      return (option.several ? group : field)(capital(t(option.title)), control, t(option.help));
    });
    this.options.replaceChildren(...rows);
    const usual = proposes ? game.options.filter((option) => option.usual !== null) : [];
    for (const option of usual) this.controls.get(option).value = option.usual;
    if (usual.length) this.details.open = true;
    this.details.hidden = !rows.length;
    this.root.onchange = () => this.onChange();
    this.onChange();
  }

  control(option) {
    if (option.kind === "boolean") return element("input", { type: "checkbox", checked: option.default, name: option.name });
    if (option.kind === "number") {
      return element("input", { type: "number", min: option.low, max: option.high, step: "any", placeholder: String(option.default), name: option.name });
    }
    if (option.several) return severalOf(option);
    if (option.choices.length) {
      const marked = option.choices.map(([value, words]) => [value, value === option.default ? t("{words} (standard)", { words }) : t(words)]);
      return select(option.name, marked, option.default);
    }
    return element("input", { type: "text", placeholder: String(option.default), name: option.name });
  }

  spec() {
    const game = this.description;
    const parts = [game.name + (this.variants?.value ? `:${this.variants.value}` : "")];
    for (const [option, control] of this.controls) {
      const value = option.kind === "boolean" ? (control.checked === option.default ? "" : Number(control.checked)) : control.value.trim();
      if (value !== "" && value !== option.default) parts.push(`${option.name}=${value}`);
    }
    return parts.join(",");
  }
}

// The choice of a player: a person, the engine at a level, or a player of one's own that the server knows.
function playerForm(label, { levels, players }, seat) {
  const own = players.map((name) => [`=${name}`, name]);
  const kind = select("kind", [["person", t("Person")], ["engine", t("Engine")], ...own], seat.kind === "engine" && seat.name ? `=${seat.name}` : seat.kind);
  const level = element("select", { "aria-label": t("Level of {name}", { name: label }) });
  const update = () => (level.hidden = kind.value !== "engine");
  kind.onchange = update;
  update();
  // Offer the levels of a game, those with a name first; what has been chosen stays.
  const offer = (game) => {
    const named = Object.entries(game.levels);
    const others = [...Array(levels + 1).keys()].slice(1).filter((number) => !Object.values(game.levels).includes(number));
    const first = (seat.kind === "engine" && seat.level) || named[BEGINNER][1];
    const chosen = level.length ? (named[level.selectedIndex]?.[1] ?? Number(level.value)) : first;
    const listed = [...named.map(([name, number]) => [number, `${capital(t(name))} (${number})`]), ...others.map((n) => [n, t("Level {n}", { n })])];
    level.replaceChildren(...select("", listed).children);
    level.value = chosen;
  };
  return {
    root: element("label", { className: "field" }, element("span", { textContent: label }), kind, level),
    player: () => (kind.value[0] === "=" ? { kind: "engine", name: kind.value.slice(1) } : { kind: kind.value, level: Number(level.value) }),
    offer,
  };
}

// Who plays a side; in Swap2 nobody knows yet which one.
function sideTitle(side, name, swapped) {
  if (swapped) return [t("First player"), t("Second player")][side];
  return side ? sideName(name) : t("{side} (begins)", { side: sideName(name) });
}

// The choice of both players: what is shown, who plays, and how a game names their sides and levels.
export function playerForms(hello, seats) {
  const forms = [t("First"), t("Second")].map((label, number) => playerForm(label, hello, seats[number]));
  return {
    roots: forms.map((form) => form.root),
    players: () => forms.map((form) => form.player()),
    suit: (game, swapped = false) =>
      forms.forEach((form, side) => {
        form.root.firstChild.textContent = sideTitle(side, game.sides[side], swapped);
        form.offer(game);
      }),
  };
}

// Ask for a new game, with the spec `chosen` and the players of `seats` first.
export function askForGame(hello, chosen, seats, start) {
  const { roots, players, suit } = playerForms(hello, seats);
  const clock = select("clock", [["", t("none")], ["300+3", "5 min + 3 s"], ["600+5", "10 min + 5 s"], ["1800+10", "30 min + 10 s"], ["60+1", "1 min + 1 s"], ["600+0+3+30", t("10 min, then 3 × 30 s")], ["custom", t("another")]], "");
  const minutes = element("input", { type: "number", min: 0, max: 1440, step: "any", value: 15, "aria-label": t("Minutes") });
  const added = element("input", { type: "number", min: 0, max: 3600, value: 10, "aria-label": t("Seconds for each turn") });
  const periods = element("input", { type: "number", min: 0, max: 99, value: 0, "aria-label": t("Periods of byo-yomi") });
  const byoyomi = element("input", { type: "number", min: 1, max: 3600, value: 30, "aria-label": t("Seconds of a period") });
  const custom = element("span", { className: "level", hidden: true }, minutes, "min +", added, t("s, then"), periods, "×", byoyomi, "s");
  clock.onchange = () => (custom.hidden = clock.value !== "custom");
  const swap = element("input", { type: "checkbox", name: "swap2" });
  const swapField = field(t("Begin with Swap2"), swap, t("The first player puts three stones. The second one chooses a colour, or puts two more and leaves the choice to the first."));
  const form = new SpecForm(hello.games, chosen, true);
  form.onChange = () => {
    const game = form.description;
    swapField.hidden = !game.swap2;
    suit(game, game.swap2 && swap.checked);
  };
  swap.onchange = form.onChange;
  form.onChange();
  showDialog(t("New game"), [form.root, ...roots, field(t("Clock"), element("span", { className: "level" }, clock, custom)), swapField], [
    [
      t("Start"),
      () => {
        const times = custom.hidden ? clock.value.split("+").map(Number) : [60 * minutes.value, ...[added, periods, byoyomi].map((each) => Number(each.value))];
        const [main, increment, number = 0, seconds = 0] = times;
        const fields = { spec: form.spec(), seats: players() };
        if (clock.value) fields.clock = { main, increment, periods: number, byoyomi: number ? seconds : 0 };
        if (swap.checked && form.description.swap2) fields.swap2 = true;
        return start(fields);
      },
    ],
  ]);
}

export function askForPlayer(label, seat, hello, kind, change) {
  const form = playerForm(sideName(label), hello, seat);
  form.offer(hello.games.find((game) => game.name === kind));
  showDialog(t("Who plays {side}?", { side: sideName(label) }), [form.root], [[t("Change"), () => change(form.player())]]);
}

// A kept game in words.
export function gameText(game) {
  const turns = game.turns === 1 ? t("1 turn") : t("{n} turns", { n: game.turns });
  const details = game.details && ` (${game.details.split(", ").map((each) => t(each)).join(", ")})`;
  return `${game.title}${details}, ${turns}, ${t(game.result || "unfinished")}`;
}

export function showGames(games, open, remove) {
  const rows = games.map((game) => {
    const players = game.seats.filter(Boolean).join(" – ");
    const text = gameText(game);
    const began = /^\d{4}-\d\d-\d\d-\d{4}/.test(game.name) ? ` · ${game.name.slice(0, 10)} ${game.name.slice(11, 13)}:${game.name.slice(13, 15)}` : "";
    const row = element(
      "li",
      {},
      button(text, async () => { await open(game.name); dialog.close(); }),
      element("span", { className: "small", textContent: `${players}${began}` }),
      button(t("Delete"), async (event) => {
        const pressed = event.currentTarget;
        if (pressed.textContent === t("Delete")) {
          pressed.textContent = t("Delete for good?");
          pressed.ariaLabel = t("Delete {name} for good?", { name: text });
          return;
        }
        try { await remove(game.name); row.remove(); } catch (error) { byId("dialog-error").textContent = t(error.message); }
      }, { "aria-label": t("Delete {name}", { name: text }) }),
    );
    return row;
  });
  showDialog(t("Games"), [rows.length ? element("ul", { className: "games" }, ...rows) : element("p", { textContent: t("No games yet.") })], []);
}

// Offer the games of a record with several; the one chosen stays.
function listGamesOf(games, listed) {
  const chosen = games.value;
  const words = ({ number, game, name, players, turns, result, error }) =>
    error ? t("{n}. cannot be read", { n: number }) : [`${number}. ${game}`, name, players, t("{n} turns", { n: turns }), t(result)].filter(Boolean).join(", ");
  games.replaceChildren(...listed.map((each) => element("option", { value: each.number, textContent: words(each), selected: `${each.number}` === chosen })));
  games.hidden = !listed.length;
}

function inBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

// The contents of a file as SGF.
export async function readFile(file, ask) {
  if (file.size > MAX_FILE) throw new Error(`expected a file of at most ${MAX_FILE / 1000} kB, got ${Math.ceil(file.size / 1000)} kB`);
  return (await ask("file", { name: file.name, data: await inBase64(file) })).text;
}

export function askForText(hello, chosen, ask, open, openFiles, given) {
  const form = new SpecForm(hello.games, chosen);
  form.onChange = () => preview();
  const text = element("textarea", { rows: 5, placeholder: t("A record (SGF), a game spec, or a position or turns of the game chosen"), "aria-label": t("Record, spec, position or turns") });
  const file = element("input", { type: "file", multiple: true, accept: ".sgf,.txt,.lib,.psq,.gib,.ngf,.ugf,.ugi", "aria-label": t("File") });
  const drawing = element("div", { className: "preview" });
  const games = element("select", { "aria-label": t("Game of the record"), hidden: true });
  const notes = element("p", { className: "small", role: "status" });
  const fields = () => ({ text: text.value.trim() || form.spec(), spec: form.spec(), number: Number(games.value) || 1 });
  let number = 0;
  const preview = async () => {
    const mine = ++number;
    try {
      const found = await ask("preview", fields());
      if (mine !== number) return;
      byId("dialog-error").textContent = "";
      drawing.replaceChildren(svgOf(found.svg));
      notes.textContent = found.notes.map((note) => t(note)).join("; ");
      listGamesOf(games, found.games);
    } catch (error) {
      if (mine === number) byId("dialog-error").textContent = t(error.message);
    }
  };
  const read = async (given) => {
    games.replaceChildren();
    try {
      if (given) text.value = await readFile(given, ask);
      preview();
    } catch (error) {
      byId("dialog-error").textContent = t(error.message);
    }
  };
  file.onchange = () => {
    if (file.files.length < 2) return read(file.files[0]);
    dialog.close();
    openFiles([...file.files]);
  };
  games.onchange = () => preview();
  let waiting;
  text.oninput = () => {
    clearTimeout(waiting);
    games.replaceChildren();
    waiting = setTimeout(preview, 250);
  };
  showDialog(t("Open"), [form.root, text, file, games, drawing, notes], [[t("Open"), () => open(fields())]]);
  if (given instanceof File) return read(given);
  text.value = given ?? "";
  preview();
}

// Text with the marks of Markdown: bold, code, emphasis; of links the words.
export function marked(text) {
  const parts = text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").split(/(\*\*.+?\*\*|`[^`]+`|\*[^*\s][^*]*\*)/);
  return parts.filter(Boolean).map((part) => {
    if (part.startsWith("**")) return element("strong", { textContent: part.slice(2, -2) });
    if (part.startsWith("`")) return element("code", { textContent: part.slice(1, -1) });
    if (part.startsWith("*") && part.length > 2) return element("em", { textContent: part.slice(1, -1) });
    return part;
  });
}

function rulesTable(text) {
  const rows = text.split("\n").map((line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  const body = rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
  return element("table", {}, ...body.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, ...marked(cell))))));
}

// A turn of an example in the rules, and what they make of it.
export function exampleTurn({ turn, verdict, said }, sign = "✓") {
  return element("li", {}, `${verdict === "refused" ? "✗" : sign} `, element("strong", { textContent: turn }), said && ` – ${t(said)}`);
}

function rulesBlock(block) {
  if (block.svg) {
    const svg = svgOf(block.svg);
    return element("figure", { className: "preview" }, svg, element("figcaption", { className: "small" }, ...marked(block.text)));
  }
  if (block.kind === "table") return rulesTable(block.text);
  if (block.kind === "code") return element("pre", { textContent: block.text });
  if (block.kind === "turns") return element("ul", {}, ...block.turns.map((turn) => exampleTurn(turn)));
  if (block.text.startsWith("### ")) return element("h4", { textContent: block.text.slice(4) });
  const made = element("p", { className: block.kind }, ...(block.kind === "item" ? ["• "] : []), ...marked(block.text));
  if (block.tag) made.id = `rule-${block.tag}`;
  return made;
}

export function showBook(rules) {
  const made = rules.sections.flatMap((section) => [
    ...(section.heading ? [element("h3", { textContent: t(section.heading) })] : []),
    ...section.blocks.map(rulesBlock),
  ]);
  showDialog(t("Rules of {game}", { game: rules.title }), made, []);
}

export function askForSettings(values, change) {
  const check = (name) => element("input", { type: "checkbox", checked: values[name] });
  const number = (name, min, max) => element("input", { type: "number", min, max, value: values[name] });
  const controls = {
    language: [t("Language"), select("language", [["", t("that of the browser")], ...Object.entries(LANGUAGES)], values.language)],
    theme: [t("Theme"), select("theme", [["", t("that of the system")], ["light", t("light")], ["dark", t("dark")]], values.theme)],
    board: [t("Board"), select("board", [["", t("wood")], ["plain", t("plain")], ["contrast", t("high contrast")]], values.board)],
    names: [t("Coordinates"), check("names")],
    numbers: [t("Numbers of turns on stones"), check("numbers")],
    flip: [t("Board turned round"), check("flip")],
    sound: [t("Sound"), check("sound")],
    lines: [t("Analysis: lines"), number("lines", 1, 10)],
    threads: [t("Analysis: threads"), number("threads", 1, values.maxThreads)],
    seconds: [t("Analysis: seconds, at most"), number("seconds", 1, 3600)],
    nodes: [t("Review: nodes per position"), number("nodes", 100, 100000000)],
  };
  const chosen = ({ type, checked, value }) => ({ checkbox: checked, number: Number(value) })[type] ?? value;
  const fields = Object.values(controls).map(([label, control]) => field(label, control));
  const all = () => Object.fromEntries(Object.entries(controls).map(([name, [, control]]) => [name, chosen(control)]));
  showDialog(t("Settings"), fields, [[t("Save"), () => change(all())]]);
}
