// The board and what stands around it: they show the state, and pass on what the server is asked.

import { mayChoose, settings, state } from "./state.js";
import { Board, narrow } from "./parts/board.js";
import { askForPlayer } from "./parts/dialogs.js";
import { byId, percent, svgOf } from "./parts/dom.js";
import { Link } from "./parts/link.js";
import { Players, Turns } from "./parts/panels.js";
import { Turn } from "./parts/turn.js";
import { effectsText, lessonText, puzzleText, statusText } from "./parts/texts.js";
import { t } from "./parts/words.js";

export const link = new Link();
export const ask = (command, fields) => link.ask(command, fields);
export const board = new Board(byId("board"));
export const turns = new Turns(byId("turns"), (key) => go({ node: key }));
export const players = new Players(byId("players"), (number, side) => {
  const { game, hello } = state;
  askForPlayer(game.sides[side], game.seats[number], hello, game.kind, (player) => ask("seat", { seat: number, player }));
});
const listeners = [];
narrow.onchange = () => state.turn && (restartTurn(), showTurn());

// Call `listener` with whether a person may choose, whenever the turn is shown anew.
export function onTurnShown(listener) {
  listeners.push(listener);
}

// Do something on the server; what it refuses is said.
export async function attempt(command, fields) {
  try {
    return await ask(command, fields);
  } catch (error) {
    say(t(error.message));
    return null;
  }
}

export function say(text) {
  state.message = text;
  showStatus();
}

export function go(fields) {
  state.puzzle = null;
  return attempt("go", fields);
}

// Begin the turn at the position shown anew.
export function restartTurn() {
  state.turn = new Turn(state.position);
  board.draw(state.position.svg, state.position.title, state.position.contents);
}

export function showTurn() {
  const { analysis, game, hint, position, puzzle, turn } = state;
  const mine = mayChoose();
  board.clear();
  const begun = turn.begun;
  if (settings.numbers && !begun) showNumbers();
  if (position.last && !begun && !puzzle) board.markLast(position.last, position.beside);
  if (position.live && !begun) for (const name of game.won) board.ring(name, "won", 0.9);
  if (game.agreeing && position.live) for (const name of game.dead) board.ring(name, "dead", 0.5);
  if (analysis && !begun && !puzzle) showCandidates();
  if (hint && !begun) board.showTurn(hint.turn, "", "hint", 1);
  if (puzzle?.verdict && puzzle.verdict.best) board.showTurn(puzzle.verdict.best, "", "hint", 1);
  board.svg.classList.toggle("quiet", Boolean(analysis) && !begun && !puzzle); // candidates are marks enough
  if (mine) board.light(turn.lit(), turn.marked(), turn.goingOn());
  else board.light(new Set(game.agreeing && position.live ? Object.keys(position.contents) : []), new Set());
  for (const listener of listeners) listener(mine);
  showStatus();
  byId("effects").textContent = position.last ? effectsText(position.last, game.sides) : "";
}

// The numbers of turns on the stones of a square board: on each the last one that was put there.
function showNumbers() {
  const { game, hello, position } = state;
  if (!hello.games.find((each) => each.name === game.kind)?.square) return;
  const numbered = new Set();
  for (let node = turns.nodes.get(position.node); node?.parent; node = node.parent) {
    if (position.contents[node.turn] && !numbered.has(node.turn)) board.number(node.turn, node.number, game.sides[node.side]);
    numbered.add(node.turn);
  }
}

function showCandidates() {
  const { analysis, game } = state;
  const owners = analysis.lines[0]?.ownership;
  if (owners) board.showOwners(owners.map((owner) => (analysis.side === 0 ? owner : -owner)), game.sides);
  [...analysis.lines].reverse().forEach((line) => {
    board.showTurn(line.pv[0], percent(line.rate).replace(/\s/, ""), line.rank === 1 ? "candidate best" : "candidate", line.rank === 1 ? 1 : 0.9);
  });
}

export function showStatus() {
  const { game, message, position } = state;
  if (!game || !position) {
    byId("welcome").textContent = byId("status").textContent = message;
    return;
  }
  const shown = turns.nodes.get(position.node)?.number;
  byId("status").textContent = [message, statusOf(shown)].filter(Boolean).join(" ");
}

function statusOf(shown) {
  const { game, lesson, position, puzzle, turn } = state;
  if (puzzle) return puzzleText(puzzle, game.sides);
  if (lesson?.solved) return t("This puzzle is done.");
  return lesson ? lessonText(game, position, turn) : statusText(game, position, shown, turn);
}

export function showBehind() {
  const { behind } = state.position;
  byId("behind").hidden = !behind;
  byId("behind").replaceChildren(...(behind ? [svgOf(behind)] : []));
}

// Disable the buttons that can do nothing; in an analysis Undo and Redo, which change the game, cannot be used.
export function showControls() {
  const { analysing, game, position, review } = state;
  const shown = turns.nodes.get(position?.node);
  const current = turns.nodes.get(game?.current);
  const played = new Set();
  for (let node = current; node; node = node.parent) played.add(node);
  const useful = {
    undo: game && !analysing && (game.current !== "start" || game.resigned),
    redo: game && !analysing && !game.over && current?.children.length,
    hint: position && !position.settled,
    resign: game && !game.over && !game.agreeing && game.seats.some((seat) => seat.kind === "person"),
    analyse: game,
    review: game && (review?.running || turns.first?.children.length),
    prune: shown && !played.has(shown),
    first: shown?.parent,
    previous: shown?.parent,
    next: shown?.children.length,
    last: shown?.children.length,
    export: game,
  };
  for (const [id, use] of Object.entries(useful)) byId(id).disabled = !use;
  byId("review").textContent = review?.running ? t("Stop review") : t("Review");
}
