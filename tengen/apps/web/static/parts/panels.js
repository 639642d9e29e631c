// What stands beside the board: players, turns, analysis, the graph of a review.

import { button, byId, element, percent, shape, sideName } from "./dom.js";
import { t } from "./words.js";

const MAX_NESTED = 8; // blocks of variations within each other

export function seatTitle(seat) {
  return seat.name || (seat.kind === "engine" ? t("tengen, level {n}", { n: seat.level }) : t("Person"));
}

function clockText(seconds) {
  const shown = Math.max(0, seconds);
  if (shown < 10) return shown.toFixed(1);
  const minutes = Math.floor(shown / 60);
  return `${minutes}:${String(Math.floor(shown % 60)).padStart(2, "0")}`;
}

// What a clock shows: the main time, or what is left of a period of byo-yomi and how many periods there are with it.
function timeText({ byoyomi, periods }, left) {
  if (!periods || left > byoyomi * periods) return clockText(left - byoyomi * periods);
  const number = Math.max(1, Math.ceil(left / byoyomi));
  return `${clockText(left - (number - 1) * byoyomi)} ×${number}`;
}

// The two players with their clocks; `change` is called with a seat to let someone else play it.
export class Players {
  constructor(root, change) {
    this.root = root;
    this.change = change;
  }

  show(game) {
    const rows = [0, 1].map((side) => {
      const number = game.order[side];
      const seat = game.seats[number];
      const name = button(seatTitle(seat), () => this.change(number, side), {
        title: t("Let someone else play"),
        "aria-label": t("{side}: {name}. Change", { side: sideName(game.sides[side]), name: seatTitle(seat) }),
      });
      const busy = game.thinking && game.seat === number ? element("span", { className: "busy", textContent: t("thinking…") }) : null;
      const clock = game.clock ? element("span", { className: "clock" }) : null;
      const active = !game.over && game.side === side;
      const label = element("span", { className: `side ${game.sides[side]}`, textContent: sideName(game.sides[side]) });
      return element("div", { className: active ? "player active" : "player" }, label, name, busy, clock);
    });
    this.root.replaceChildren(...rows);
    this.game = game;
    this.since = performance.now();
    clearInterval(this.timer);
    this.tick();
    if (game.clock && game.clock.running !== null && !game.over) this.timer = setInterval(() => this.tick(), 200);
  }

  tick() {
    const { clock, order } = this.game;
    if (!clock) return;
    [...this.root.querySelectorAll(".clock")].forEach((shown, side) => {
      const seat = order[side];
      const spent = clock.running === seat ? (performance.now() - this.since) / 1000 : 0;
      shown.textContent = timeText(clock, clock.left[seat] - spent);
    });
  }
}

// The turns with their variations.
export class Turns {
  constructor(root, go) {
    this.root = root;
    this.go = go;
    this.nodes = new Map();
    this.marks = [];
  }

  take(listed) {
    this.nodes = new Map();
    for (const [key, parent, turn, side, comment] of listed) {
      const above = this.nodes.get(parent);
      const node = { key, parent: above, turn, side, comment, children: [], number: above ? above.number + 1 : 0 };
      this.nodes.set(key, node);
      above?.children.push(node);
    }
    this.first = this.nodes.get(listed[0]?.[0]);
    this.render();
  }

  mainLine() {
    const line = [];
    for (let node = this.first; node; node = node.children[0]) line.push(node);
    return line;
  }

  render() {
    this.buttons = new Map();
    const line = element("div", { className: "line" });
    if (this.first) this.fill(line);
    this.root.replaceChildren(line);
    this.show(this.shown);
  }

  // Add the main line to its block, with the variations: in blocks within blocks, but not deeper than MAX_NESTED.
  fill(line) {
    const pending = [{ node: this.first, block: line, home: line, depth: 0 }]; // lines that go on after a node
    while (pending.length) {
      let { node, block, home, depth, begins } = pending.pop();
      if (!block) home.append((block = element("div", { className: "variation" })));
      if (begins) block.append(this.entry(node));
      while (node.children.length) {
        const [main, ...others] = node.children;
        block.append(this.entry(main));
        node = main;
        if (!others.length) continue;
        const nested = depth < MAX_NESTED;
        pending.push({ node, block: nested && block, home, depth });
        for (const other of others.reverse()) pending.push({ node: other, home: nested ? block : home, depth: depth + 1, begins: true });
        break;
      }
    }
  }

  entry(node) {
    const said = this.marks[node.number - 1]?.mark ?? "";
    const mark = said && this.onMain(node) ? said : "";
    const label = `${node.number}. ${node.turn}${mark}`;
    const made = button(label, () => this.go(node.key), { className: `turn side${node.side}${mark ? " bad" : ""}` });
    if (node.comment) made.title = node.comment;
    this.buttons.set(node.key, made);
    return made;
  }

  onMain(node) {
    for (let each = node; each.parent; each = each.parent) if (each.parent.children[0] !== each) return false;
    return true;
  }

  show(key) {
    this.shown = key;
    for (const [other, made] of this.buttons ?? []) {
      if (other === key) made.setAttribute("aria-current", "true");
      else made.removeAttribute("aria-current");
    }
    const shown = this.buttons?.get(key);
    if (!shown) this.root.scrollTop = 0;
    else {
      const top = shown.offsetTop; // within the list, which is positioned
      if (top < this.root.scrollTop || top > this.root.scrollTop + this.root.clientHeight - 30) {
        this.root.scrollTop = top - this.root.clientHeight / 2;
      }
    }
  }
}

const DETAILS = {
  positions: (n) => t("{n} positions", { n }),
  visits: (n) => t("{n} visits", { n }),
  depth: (n) => t("depth {n}", { n }),
};

// The candidates of the analysis; `walk` is called with the turns of a line. They come again and again: a turn with
// the focus keeps it.
export function showLines(root, lines, side, sides, walk) {
  const shown = lines.map((line) => {
    const rate = side === 0 ? line.rate : 1 - line.rate;
    const label = `${percent(line.rate)} ${line.text ?? ""}${line.lead === undefined ? "" : `, ${t("lead {n}", { n: line.lead })}`}`;
    const turns = line.pv.map((turn, index) =>
      button(turn, () => walk(line.pv.slice(0, index + 1)), { className: "turn" }),
    );
    const known = Object.keys(DETAILS).find((name) => line[name] !== undefined);
    const detail = DETAILS[known](line[known]);
    return element(
      "li",
      { title: t("{side}'s win rate: {name}", { side: sideName(sides[0]), name: percent(rate) }) },
      element("strong", { textContent: label }),
      element("span", { className: "small", textContent: ` ${detail} ` }),
      ...turns,
    );
  });
  const focused = [...root.querySelectorAll("button")].indexOf(document.activeElement);
  root.replaceChildren(...shown);
  root.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
}

// The win rate of the first side, as a bar beside the board.
export function showBar(rate, sides) {
  const bar = byId("bar");
  bar.hidden = rate === null;
  if (rate === null) return;
  bar.setAttribute("aria-label", t("{side}'s win rate: {name}", { side: sideName(sides[0]), name: percent(rate) }));
  bar.className = `bar-${sides[0]}`;
  bar.firstElementChild.style.height = `${100 * rate}%`;
  bar.lastElementChild.textContent = String(Math.round(100 * rate));
}

const WIDTH = 320;
const HEIGHT = 110;

// The win rate of the first side over the whole game; `go` is called with the number of a position.
export function drawGraph(root, rates, marks, shown, sides, go) {
  const known = rates.map((rate, number) => [number, rate]).filter(([, rate]) => rate !== null && rate !== undefined);
  const last = Math.max(1, rates.length - 1);
  const place = (number, rate) => [(WIDTH * number) / last, HEIGHT * (1 - rate)];
  const svg = shape("svg", {
    viewBox: `-38 -6 ${WIDTH + 46} ${HEIGHT + 26}`,
    role: "img",
    "aria-label": t("{side}'s win rate after each turn", { side: sideName(sides[0]) }),
  });
  svg.append(shape("rect", { class: "ground", x: 0, y: 0, width: WIDTH, height: HEIGHT }));
  svg.append(shape("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  for (const share of [1, 0.5, 0]) svg.append(shape("text", { class: "axis", x: -6, y: HEIGHT * (1 - share) + 4, "text-anchor": "end" }, `${100 * share}%`));
  for (const number of new Set([0, Math.round(last / 2), last])) svg.append(shape("text", { class: "axis", x: place(number, 0)[0], y: HEIGHT + 14, "text-anchor": "middle" }, String(number)));
  svg.append(shape("polyline", { class: "curve", points: known.map(([n, rate]) => place(n, rate)).join(" ") }));
  marks.forEach((mark, index) => {
    const rate = rates[index + 1];
    if (!mark || rate === undefined || rate === null) return;
    const [cx, cy] = place(index + 1, rate);
    svg.append(shape("circle", { class: `fault fault${mark.length === 1 ? 2 : mark === "?!" ? 1 : 3}`, cx, cy, r: 4 }));
  });
  if (shown >= 0) svg.append(shape("line", { class: "now", x1: place(shown, 0)[0], x2: place(shown, 0)[0], y1: 0, y2: HEIGHT }));
  const ground = svg.querySelector(".ground");
  const numberAt = (event) => {
    const box = ground.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last)));
  };
  const value = element("p", { className: "small value" });
  svg.addEventListener("click", (event) => go(numberAt(event)));
  svg.addEventListener("pointermove", (event) => {
    const number = numberAt(event);
    const rate = rates[number];
    value.textContent = t("After turn {n}: {name}", { n: number, name: rate === null || rate === undefined ? t("not known") : percent(rate) });
  });
  svg.addEventListener("pointerleave", () => (value.textContent = ""));
  root.replaceChildren(svg, value);
}

export function showSummary(root, summary) {
  const marks = ["?!", "?", "??"];
  const head = element("tr", {}, ...["", t("turns"), t("mean loss"), ...marks, t("best")].map((text) => element("th", { textContent: text, scope: "col" })));
  const rows = Object.entries(summary).map(([side, played]) =>
    element(
      "tr",
      {},
      element("th", { textContent: sideName(side), scope: "row" }),
      ...[played.turns, percent(played.loss), ...marks.map((mark) => played.mistakes[mark]), played.agreed].map((value) =>
        element("td", { textContent: String(value) }),
      ),
    ),
  );
  root.replaceChildren(head, ...rows);
}
