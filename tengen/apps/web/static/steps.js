// Turns in steps: places that are pointed at, choices that are made.

import { isFree, mayChoose, state } from "./state.js";
import { solve } from "./review.js";
import { attempt, board, say, showTurn } from "./table.js";
import { capital } from "./parts/dom.js";
import { waitingText } from "./parts/texts.js";
import { t } from "./parts/words.js";

let step = null; // that the server has been asked for: what is pointed at meanwhile waits

// The side whose stone a click on a place would put there at once; nothing if it does something else.
function stoneAt(name) {
  const { game, hello, position, turn } = state;
  const square = hello.games.find((each) => each.name === game?.kind)?.square;
  if (!square || !turn || turn.begun || turn.takes || !mayChoose() || !turn.lit().has(name)) return "";
  return game.sides[position.side];
}

let aimed = ""; // the small place that was tapped once

// Tell of a finger's first tap on a small place, and show the stone; play on the second one.
function tap(name) {
  const side = board.isSmall(name) && stoneAt(name);
  if (!side || aimed === name) {
    aimed = "";
    return point(name);
  }
  aimed = name;
  board.ghost(name, side);
  say(t("Tap {place} again to play there.", { place: name }));
}

export async function point(name) {
  const { turn } = state;
  while (step) await step;
  if (!state.game || state.turn !== turn) return;
  if (state.game.agreeing && state.position.live && !state.analysing && !state.puzzle) {
    attempt("dead", { vertex: name });
    return;
  }
  if (!mayChoose()) return say(waitingText(state));
  if (turn.reacts(name)) await follow(turn.point(name));
  else await explain([...turn.path, name]);
}

// Say why places that were pointed at choose nothing.
async function explain(places) {
  const { position, turn } = state;
  const found = await attempt("why", { node: position.node, actions: turn.stage.chosen, places });
  if (found && state.turn === turn) say(`${capital(t(found.reason))}.`);
}

// Choose an action that was pointed at, or show what has been pointed at so far.
async function follow(action) {
  state.message = "";
  if (action === null) showTurn();
  else await choose(action);
}

export function choose(action) {
  const { turn } = state;
  const choice = turn.choices.find((each) => each.action === action);
  if (choice.warning && turn.warned !== choice) {
    turn.warned = choice;
    return showTurn();
  }
  step = take(action).finally(() => (step = null));
  return step;
}

async function take(action) {
  const actions = [...state.turn.stage.chosen, action];
  const fields = { node: state.position.node, actions, free: isFree() };
  if (state.puzzle || state.lesson) Object.assign(fields, { dry: true });
  const reply = await attempt("step", fields);
  if (!reply) {
    state.turn.path = [];
    showTurn();
    return;
  }
  if (reply.turn) {
    if (state.puzzle) await solve(reply.turn);
    if (state.lesson) await state.lesson.tryOut(reply.turn);
    return;
  }
  state.turn.advance(reply);
  board.draw(reply.svg, reply.title, reply.contents);
  showTurn();
}

export function back() {
  const { turn } = state;
  const stages = turn.stages.length;
  turn.back();
  if (turn.stages.length < stages) board.draw(turn.stage.svg, turn.stage.title, turn.stage.contents);
  showTurn();
}

board.onPlace = tap;
board.onHover = (name) => board.ghost(name, name && stoneAt(name));
// A piece beside the board is a step of its own; else nothing is done unless both places belong to one step.
board.onDrag = async (from, to) => {
  const { position, turn } = state;
  if (!turn || !mayChoose() || turn.takes) return point(to);
  if (!position.beside[from]) {
    const action = turn.drag(from, to);
    return action === null && turn.path.at(-1) !== to ? explain([from, to]) : follow(action);
  }
  await point(from);
  if (state.turn === turn && turn.next().has(to)) await point(to);
};
