// Turns in steps: places that are pointed at, choices that are made.

import { isFree, mayChoose, state } from "./state.js";
import { solve } from "./review.js";
import { attempt, board, say, showTurn } from "./table.js";

let step = null; // that the server has been asked for: what is pointed at meanwhile waits

export async function point(name) {
  const { turn } = state;
  while (step) await step;
  if (!state.game || state.turn !== turn) return;
  if (state.game.agreeing && state.position.live && !state.analysing && !state.puzzle) {
    attempt("dead", { vertex: name });
    return;
  }
  if (!mayChoose()) {
    if (!state.position.live || state.game.over) say("Press Analyse to try turns here.");
    return;
  }
  await follow(state.turn.point(name));
}

// Choose an action that was pointed at, or show what has been pointed at so far.
async function follow(action) {
  if (action === null) showTurn();
  else await choose(action);
}

export function choose(action) {
  step = take(action).finally(() => (step = null));
  return step;
}

async function take(action) {
  const actions = [...state.turn.stage.chosen, action];
  const fields = { node: state.position.node, actions, free: isFree() };
  if (state.puzzle) Object.assign(fields, { dry: true });
  const reply = await attempt("step", fields);
  if (!reply) {
    state.turn.path = [];
    showTurn();
    return;
  }
  if (reply.turn) {
    if (state.puzzle) await solve(reply.turn);
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

board.onPlace = point;
// A piece beside the board is a step of its own; else nothing is done unless both places belong to one step.
board.onDrag = async (from, to) => {
  const { position, turn } = state;
  if (!turn || !mayChoose() || turn.takes) return;
  if (!position.beside[from]) return follow(turn.drag(from, to));
  await point(from);
  if (state.turn === turn && turn.next().has(to)) await point(to);
};
