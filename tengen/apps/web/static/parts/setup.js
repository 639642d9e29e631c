// Setting up a position: pieces are put by clicks, and the server draws each step, legal or not.

import { Board } from "./board.js";
import { SpecForm, field, playerForms, select, showDialog } from "./dialogs.js";
import { button, element } from "./dom.js";
import { t } from "./words.js";

const PREPARING = t("Preparing the board: this takes up to 30 seconds the first time.");

// The control of a number, a choice or a word; `change` is called with its new value.
function control({ name, choices, low, high }, value, change) {
  const made = choices.length ? select(name, choices.map(([key, words]) => [key, t(words)]), value) : element("input", { type: high ? "number" : "text", name, value });
  if (high) Object.assign(made, { min: low, max: high });
  made.onchange = () => change(made.value);
  return made;
}

// The dialog. `opened` has the spec and the position to begin with, `seats` the players; `play` is called
// with the fields of a new game, and with whether it is analysed.
export class SetUp {
  constructor(hello, opened, seats, ask, play) {
    Object.assign(this, { opened, ask, position: opened.position, piece: "", features: {}, built: "", work: Promise.resolve(), waiting: 0, typing: null });
    this.form = new SpecForm(hello.games, opened.spec);
    this.spec = this.form.spec();
    const { roots, players, suit } = playerForms(hello, seats);
    this.nameSides = () => suit(this.form.description);
    this.nameSides();
    this.form.onChange = () => {
      this.say(PREPARING, false);
      this.queue(() => this.chooseGame());
    };
    const drawing = element("div", { className: "drawing" });
    this.board = new Board(drawing);
    this.board.onPlace = (name) => this.edit({ put: name, piece: this.piece, features: this.features });
    this.board.onDrag = (from, to) => this.contents[from] && this.edit({ move: [from, to] });
    this.pieces = element("fieldset", { className: "palette" });
    this.chosen = element("div");
    this.fields = element("div", { className: "fields" });
    this.status = element("p", { className: "legality", role: "status" });
    this.note = element("p", { className: "small" });
    this.text = element("textarea", { rows: 3, "aria-label": t("Position as text") });
    this.text.onchange = () => {
      const text = this.text.value.trim();
      this.queue(() => this.change(text));
    };
    for (const typed of [this.fields, this.text]) {
      typed.addEventListener("input", (event) => (this.typing = event.target));
      for (const kind of ["change", "focusout"]) typed.addEventListener(kind, () => (this.typing = null));
    }
    const buttons = element(
      "div",
      { className: "walk" },
      button(t("Reset"), () => this.queue(() => this.change(this.spec === this.begun ? opened.position : ""))),
      button(t("Clear"), () => this.edit({ clear: true })),
    );
    const root = element(
      "div",
      { className: "setup" },
      element("div", {}, this.pieces, this.chosen, buttons),
      drawing,
      element("div", {}, this.fields, this.note),
    );
    root.addEventListener("keydown", keepOpen);
    const text = element("details", {}, element("summary", { textContent: t("Position as text") }), this.text);
    const fields = (players) => ({ spec: this.spec, position: this.position, seats: players });
    showDialog(t("Set up a position"), [this.form.root, root, this.status, text, ...roots], [
      [t("Play from here"), async () => { await this.work; return play(fields(players()), false); }],
      [t("Analyse"), async () => { await this.work; return play(fields(seats.map(() => ({ kind: "person" }))), true); }],
    ]);
    this.begun = this.spec;
    this.say(PREPARING, false);
    this.queue(() => this.change(this.position));
  }

  // Do one thing after another, however fast the clicks are; what the server refuses is said, and at the end
  // whether the position is legal.
  queue(action) {
    this.waiting += 1;
    const refused = (error) => {
      this.say(t(error.message), true);
      if (this.shown) this.fill();
      return true;
    };
    this.work = this.work.then(action).catch(refused).then((said) => {
      this.waiting -= 1;
      if (!this.waiting && !said) this.judge();
    });
  }

  edit(edit) {
    this.queue(() => this.change(this.position, edit));
  }

  async change(position, edit) {
    this.take(await this.ask("setup", { spec: this.spec, position, edit }));
  }

  // Another game, or other options: the position stays if it fits.
  async chooseGame() {
    const spec = this.form.spec();
    if (spec === this.spec) return;
    const same = spec.split(/[:,]/)[0] === this.spec.split(/[:,]/)[0];
    const show = async (position) => {
      const found = await this.ask("setup", { spec, position });
      this.spec = spec;
      this.nameSides();
      this.take(found);
    };
    await (same ? show(this.position).catch(() => show("")) : show(""));
  }

  say(text, bad) {
    this.status.textContent = text;
    this.status.classList.toggle("bad", bad);
  }

  take(found) {
    this.shown = found;
    this.position = found.position;
    this.contents = found.contents;
    this.build(found);
    this.fill();
    this.board.draw(found.svg, found.title, found.contents);
    this.board.light(new Set(found.places), new Set());
    this.note.textContent = t(found.note);
  }

  // Say whether the position shown is legal.
  judge() {
    const [first, ...others] = this.shown.faults;
    const more = others.length ? ` ${t("(and {n} more)", { n: others.length })}` : "";
    this.say(first ? `${t("Not legal yet:")} ${t(first)}${more}` : t("The position is legal."), Boolean(first));
  }

  // Build the palette and the fields, unless they are those of the position shown before.
  build({ pieces, features, fields }) {
    const built = JSON.stringify([pieces, features, fields.map(({ name, choices }) => [name, choices])]);
    if (built === this.built) return;
    this.built = built;
    this.features = Object.fromEntries(features.map(({ name, choices, low }) => [name, choices.length ? choices[0][0] : String(low)]));
    const rows = features.map((feature) => [feature.name, field(t(feature.label), control(feature, this.features[feature.name], (value) => (this.features[feature.name] = value)))]);
    const choose = ({ symbol, words }) => {
      Object.assign(this, { piece: symbol, words });
      for (const [name, row] of rows) row.hidden = !symbol.includes(`{${name}}`);
    };
    const radios = pieces.map((piece) => {
      const radio = element("input", { type: "radio", name: "piece", value: piece.symbol });
      radio.onchange = () => choose(piece);
      return element("label", {}, radio, t(piece.words));
    });
    this.pieces.replaceChildren(element("legend", { textContent: t("Piece") }), ...radios);
    this.chosen.replaceChildren(...rows.map(([, row]) => row));
    const kept = pieces.findIndex(({ symbol, words }) => symbol === this.piece && words === this.words);
    const chosen = kept < 0 ? 1 : kept; // the first one is none
    radios[chosen].firstChild.checked = true;
    choose(pieces[chosen]);
    this.controls = new Map(fields.map((each) => [each.name, control(each, each.value, (value) => this.edit({ set: each.name, value }))]));
    this.fields.replaceChildren(...fields.map(({ name, label }) => field(t(label), this.controls.get(name))));
  }

  // What is being typed stays, whatever the server answers meanwhile.
  fill() {
    const shown = [...this.shown.fields.map(({ name, value }) => [this.controls.get(name), value]), [this.text, this.position]];
    for (const [control, value] of shown) if (control !== this.typing) control.value = value;
  }
}

// Enter takes over a value; it does not begin the game.
function keepOpen(event) {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  event.target.dispatchEvent(new Event("change"));
}
