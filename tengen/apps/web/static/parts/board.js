// The board: the server's drawing, its places made clickable, marks on top, and short animations.

import { shape, svgOf } from "./dom.js";
import { t } from "./words.js";

const MANY = 24; // lit places that are shown only under the pointer

const MOVE_TIME = 200; // ms
const FINGER = 32; // px
export const narrow = matchMedia("(max-width: 600px)");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const coarse = matchMedia("(pointer: coarse)");

export class Board {
  constructor(root) {
    this.root = root;
    this.onPlace = () => {}; // called with the name of a place that was clicked
    this.onDrag = () => {}; // called with two
    this.onHover = () => {}; // called with the one under the mouse, or nothing
    this.places = new Map();
    this.flipped = false; // whether the far side is shown below
    this.svg = null;
    this.focused = "";
    root.addEventListener("pointerdown", (event) => this.press(event));
    root.addEventListener("pointerup", (event) => this.release(event));
    root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.onHover(event.target.dataset?.place));
    root.addEventListener("pointerleave", () => this.onHover());
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("focusin", (event) => {
      const name = event.target.dataset?.place;
      if (name) this.focused = name;
    });
  }

  draw(text, title, contents) {
    const hadFocus = this.root.contains(document.activeElement) && document.activeElement !== this.root;
    this.old = this.svg;
    const svg = svgOf(text);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", title);
    svg.querySelector("title")?.remove();
    this.overlay = shape("g", { class: "overlay", "pointer-events": "none" });
    this.shadow = null;
    this.spots = shape("g", { class: "spots", "pointer-events": "none" });
    this.places = new Map();
    this.contents = contents;
    for (const place of svg.querySelectorAll("[data-place]")) {
      this.places.set(place.dataset.place, place);
      place.setAttribute("role", "button");
      place.setAttribute("tabindex", "-1");
    }
    if (this.flipped) flip(svg, this.places);
    if (narrow.matches) fold(svg);
    const first = this.places.values().next().value;
    first?.before(this.spots, this.overlay);
    this.svg = svg;
    this.root.replaceChildren(svg);
    this.light(new Set(), new Set());
    const target = this.places.get(this.focused) ?? first;
    target?.setAttribute("tabindex", "0");
    if (hadFocus) target?.focus({ preventScroll: true });
  }

  // Light up the places that can be chosen, mark those chosen so far, and fill the marks of `next`, which go on from there.
  light(lit, chosen, next = new Set()) {
    const marked = [...lit].filter((name) => this.places.has(name) && !chosen.has(name) && (lit.size <= MANY || next.has(name)));
    this.spots.replaceChildren(...marked.flatMap((name) => this.spot(name, next.has(name))));
    for (const [name, place] of this.places) {
      place.classList.toggle("lit", lit.has(name));
      place.classList.toggle("chosen", chosen.has(name));
      place.setAttribute("aria-disabled", String(!lit.has(name)));
      const words = [name, t(this.contents[name] ?? "empty")];
      if (chosen.has(name)) words.push(t("chosen"));
      else if (lit.has(name)) words.push(t("can be chosen"));
      place.setAttribute("aria-label", words.join(", "));
    }
  }

  spot(name, next) {
    const [cx, cy] = this.at(name);
    const taken = Boolean(this.piece(this.svg, name));
    const kind = [next && "next", taken && "around"].filter(Boolean).join(" ");
    return edged("circle", { class: kind, cx, cy, r: this.radius(name) * (taken ? 1 : 0.3) });
  }

  // Show the stone that a click would place.
  ghost(name, side) {
    this.shadow?.remove();
    this.shadow = null;
    if (!name || !side) return;
    const [cx, cy] = this.at(name);
    this.shadow = shape("circle", { class: `ghost ${side}`, cx, cy, r: this.radius(name) * 0.92, "pointer-events": "none" });
    this.overlay.before(this.shadow);
  }

  // Whether fingers hit the neighbours of a place as easily.
  isSmall(name) {
    return coarse.matches && this.places.get(name).getBoundingClientRect().width < FINGER;
  }

  press(event) {
    this.pressed = event.button === 0 ? event.target.dataset?.place ?? "" : "";
    if (this.pressed && event.target.hasPointerCapture?.(event.pointerId)) {
      event.target.releasePointerCapture(event.pointerId);
    }
  }

  release(event) {
    const from = this.pressed;
    const to = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.place;
    this.pressed = "";
    if (!from || !to) return;
    if (from === to) this.onPlace(from);
    else this.onDrag(from, to);
  }

  key(event) {
    const name = event.target.dataset?.place;
    if (!name || event.altKey || event.ctrlKey || event.metaKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") this.onPlace(name);
    else if (steps[event.key]) this.moveFocus(name, ...steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Move the focus to the nearest place in a direction.
  moveFocus(name, dx, dy) {
    const [x, y] = this.at(name);
    let best = null;
    let least = Infinity;
    for (const other of this.places.keys()) {
      const [u, v] = this.at(other);
      const along = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      const cost = along + 2.5 * aside;
      if (along > 1 && aside < 1.9 * along && cost < least) [best, least] = [other, cost];
    }
    if (!best) return;
    this.places.get(name).setAttribute("tabindex", "-1");
    this.places.get(best).setAttribute("tabindex", "0");
    this.places.get(best).focus();
  }

  at(name) {
    const place = this.places.get(name);
    return place ? [Number(place.getAttribute("cx")), Number(place.getAttribute("cy"))] : null;
  }

  radius(name) {
    return Number(this.places.get(name)?.getAttribute("r") ?? 16);
  }

  piece(svg, name) {
    return svg?.querySelector(`[data-piece="${CSS.escape(name)}"]`);
  }

  // The places that the text of a turn names, in order.
  named(turn) {
    const found = [];
    for (const word of turn.match(/[A-Za-z]\d{1,2}/g) ?? []) {
      const name = [word, word.toLowerCase(), word.toUpperCase()].find((each) => this.places.has(each));
      if (name) found.push(name);
    }
    return found;
  }

  // ------------------------------------------------------------------------------------------------- marks

  clear() {
    this.overlay.replaceChildren();
  }

  // Mark the last turn: where pieces came to stand, from where on the board, and what left it.
  markLast(last, beside) {
    const ends = new Set(last.placed);
    const paths = joined(last.moved);
    for (const path of paths) {
      ends.add(path.at(-1));
      const points = path.filter((name) => !beside[name]).map((name) => this.at(name)).filter(Boolean);
      if (points.length > 1) {
        this.overlay.append(shape("polyline", { class: "trail", points: points.join(" ") }));
      }
    }
    for (const name of ends) this.ring(name, "last", 0.8);
    for (const name of [...last.taken, ...last.gone]) {
      const spot = this.at(name);
      if (spot && !ends.has(name)) this.overlay.append(...cross(spot, this.radius(name) * 0.3, "taken"));
    }
  }

  ring(name, kind, size) {
    const spot = this.at(name);
    if (!spot) return;
    const [cx, cy] = spot;
    this.overlay.append(...edged("circle", { class: kind, cx, cy, r: this.radius(name) * size }));
  }

  // Write the number of a turn on the stone that it has put, on a ground of the stone's own colour.
  number(name, number, side) {
    const [x, y] = this.at(name);
    const radius = this.radius(name);
    this.overlay.append(
      shape("circle", { class: `plate ${side}`, cx: x, cy: y, r: radius * 0.66 }),
      shape("text", { class: `number ${side}`, x, y, dy: "0.35em", "font-size": radius * (number < 100 ? 0.95 : 0.72) }, String(number)),
    );
  }

  // Show a turn as an arrow or a mark, with a label; `strength` is its opacity.
  showTurn(turn, label, kind, strength) {
    const names = this.named(turn);
    if (!names.length) return;
    const group = shape("g", { class: kind, opacity: strength });
    const isPlacement = /^[WGB][a-z]\d/.test(turn);
    const path = isPlacement ? names.slice(0, 1) : turn.includes(";") ? names.slice(0, 2) : names;
    const points = path.map((name) => this.at(name));
    const end = points.at(-1);
    const radius = this.radius(path.at(-1));
    if (points.length > 1) group.append(...arrow(points, radius));
    else group.append(shape("circle", { cx: end[0], cy: end[1], r: radius * 0.72, class: "mark" }));
    if (isPlacement && names[1]) group.append(...cross(this.at(names[1]), this.radius(names[1]) * 0.4, "removed"));
    if (label) {
      const text = isPlacement ? `${turn[0]} ${label}` : label;
      const at = points.length > 1 ? end.map((value, index) => (value + points.at(-2)[index]) / 2) : end;
      const size = Math.min(15, radius * 0.62);
      group.append(shape("text", { x: at[0], y: at[1], "font-size": size, dy: "0.35em" }, text));
    }
    this.overlay.append(group);
  }

  // Show who will own each point: from -1 (the second side) to 1 (the first).
  showOwners(owners, sides) {
    const names = [...this.places.keys()];
    if (owners.length !== names.length) return;
    owners.forEach((owner, index) => {
      if (Math.abs(owner) < 0.15) return;
      const [x, y] = this.at(names[index]);
      const reach = this.radius(names[index]) * 0.42 * Math.abs(owner);
      const kind = `owner ${sides[owner > 0 ? 0 : 1]}`;
      this.overlay.append(
        shape("rect", { class: kind, x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach }),
      );
    });
  }

  // ------------------------------------------------------------------------------------------- animations

  // Animate the last turn from the drawing before it.
  animate(last) {
    if (still.matches || !this.old) return;
    for (const path of joined(last.moved)) {
      const piece = this.piece(this.svg, path.at(-1));
      const points = path.map((name) => this.at(name));
      if (!piece || points.some((point) => !point)) continue;
      const [x, y] = points.at(-1);
      const frames = points.map(([u, v]) => ({ transform: `translate(${u - x}px, ${v - y}px)` }));
      piece.animate(frames, { duration: MOVE_TIME * Math.min(3, points.length - 1), easing: "ease-in-out" });
    }
    for (const name of last.placed) {
      this.piece(this.svg, name)?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: MOVE_TIME / 2 });
    }
    for (const name of last.taken) {
      const ghost = this.piece(this.old, name)?.cloneNode(true);
      if (!ghost || this.piece(this.svg, name)) continue;
      this.overlay.before(ghost);
      const fading = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 2 * MOVE_TIME });
      fading.onfinish = fading.oncancel = () => ghost.remove();
    }
  }
}

const ON_BOARD = /^[A-Za-z]\d/; // the names of places that do not lie beside the board
const PANEL = 'polygon[fill="#fff4e6"][fill-opacity]'; // the frames of what stands beside a board
const GAP = 18; // between two of them
const EDGE = 2.5; // from the outer places to the coordinates, in radii of a place, at most

// Turn the board of a drawing by 180 degrees. What is drawn on a place stays upright, what lies beside the board stays.
function flip(svg, places) {
  const inside = [...places].filter(([name]) => ON_BOARD.test(name)).map(([, place]) => place);
  const radius = Math.max(...inside.map((place) => Number(place.getAttribute("r"))));
  const [left, right] = range(inside, "cx");
  const [top, bottom] = range(inside, "cy");
  const near = (x, y) => x > left - EDGE * radius && x < right + EDGE * radius && y > top - EDGE * radius && y < bottom + EDGE * radius;
  const turned = (x, y) => [left + right - x, top + bottom - y];
  const centres = inside.map((each) => ({ name: each.dataset.place, at: pointsOf(each)[0] }));
  const taken = new Set([...svg.querySelectorAll("[data-piece]")].map((piece) => piece.dataset.piece));
  for (const shape of svg.querySelectorAll(":is(circle, polygon, polyline, text)")) {
    const points = pointsOf(shape);
    const lies = ({ name, at }) => points.every(([x, y]) => Math.hypot(x - at[0], y - at[1]) < radius) && (shape.tagName !== "text" || taken.has(name));
    const on = centres.find(lies)?.at;
    const [dx, dy] = on ? turned(...on).map((value, index) => value - on[index]) : [];
    if (on) place(shape, points.map(([x, y]) => [x + dx, y + dy]));
    else if (points.every((point) => near(...point))) place(shape, points.map((point) => turned(...point)));
  }
}

// Lay what stands beside a board below it, side by side: on a phone the board is wider so.
function fold(svg) {
  const corners = [...svg.querySelectorAll(PANEL)].map((frame) => [pointsOf(frame)[0], pointsOf(frame)[2]].flat());
  if (!corners.length) return;
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const [edge, top] = corners[0];
  const frames = corners.filter(([left]) => left === edge); // others are within these
  const scale = Math.min(1, (edge - GAP) / frames.reduce((sum, [left, , right]) => sum + right - left + GAP, 0));
  const low = Math.max(...[...svg.querySelectorAll("[data-place]")].map(pointsOf).filter(([[x]]) => x < edge).map(([[, y]]) => y)) + top;
  const below = low + GAP + scale * Math.max(...frames.map(([, up, , down]) => down - up));
  for (const shape of svg.querySelectorAll(":is(circle, polygon, polyline, text)")) {
    const points = pointsOf(shape);
    if (points.some(([x]) => x < edge)) {
      const frame = shape.tagName === "polygon"; // of the wood; its grain ends at the edge
      place(shape, points.map(([x, y]) => [Math.min(x, frame ? x > edge ? x - width + edge : x : edge), frame && y > height - GAP ? y - height + below : y]));
      continue;
    }
    const found = frames.findIndex(([, , , down]) => points[0][1] <= down);
    const [left, up] = frames[found];
    const before = frames.slice(0, found).reduce((sum, [first, , right]) => sum + right - first + GAP, GAP / scale);
    place(shape, points.map(([x, y]) => [scale * (before + x - left), low + scale * (y - up)]));
    for (const name of ["r", "font-size", "stroke-width"]) {
      if (shape.hasAttribute(name)) shape.setAttribute(name, scale * shape.getAttribute(name));
    }
  }
  svg.setAttribute("viewBox", `0 0 ${edge} ${below}`);
}

function range(places, name) {
  const values = places.map((place) => Number(place.getAttribute(name)));
  return [Math.min(...values), Math.max(...values)];
}

const namesOf = (shape) => (shape.hasAttribute("cx") ? ["cx", "cy"] : ["x", "y"]);

function pointsOf(shape) {
  const listed = shape.getAttribute("points");
  if (listed) return listed.split(" ").map((pair) => pair.split(",").map(Number));
  return [namesOf(shape).map((name) => Number(shape.getAttribute(name)))];
}

function place(shape, points) {
  if (shape.hasAttribute("points")) shape.setAttribute("points", points.join(" "));
  else namesOf(shape).forEach((name, index) => shape.setAttribute(name, points[0][index]));
}

// Join the moves of one piece: jump after jump.
function joined(moved) {
  const paths = [];
  for (const [from, to] of moved) {
    const known = paths.find((path) => path.at(-1) === from);
    if (known) known.push(to);
    else paths.push([from, to]);
  }
  return paths;
}

// A mark with a light edge: it stands out on wood, and on pieces of all colours.
function edged(name, attributes) {
  return [shape(name, { ...attributes, class: `${attributes.class} edge` }), shape(name, attributes)];
}

function cross([x, y], reach, kind) {
  const d = `M${x - reach} ${y - reach}L${x + reach} ${y + reach}M${x - reach} ${y + reach}L${x + reach} ${y - reach}`;
  return edged("path", { class: kind, d });
}

function arrow(points, radius) {
  const [x, y] = points.at(-2);
  const [u, v] = points.at(-1);
  const angle = Math.atan2(v - y, u - x);
  const head = radius * 0.55;
  const tip = [u - Math.cos(angle) * radius * 0.2, v - Math.sin(angle) * radius * 0.2];
  const wings = [-0.5, 0.5].map((turn) => [
    tip[0] - head * Math.cos(angle + turn),
    tip[1] - head * Math.sin(angle + turn),
  ]);
  const back = [tip[0] - head * 0.8 * Math.cos(angle), tip[1] - head * 0.8 * Math.sin(angle)];
  const line = [...points.slice(0, -1), back].join(" ");
  return [
    shape("polyline", { points: line, class: "shaft" }),
    shape("polygon", { points: [tip, ...wings].join(" "), class: "head" }),
  ];
}
