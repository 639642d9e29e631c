// What the page says about games, turns and puzzles.

import { capital, percent, sideName } from "./dom.js";

// The state of a game; `shown` is the number of the position shown, `turn` the one that is being entered.
export function statusText(game, position, shown, turn) {
  if (game.notice) return `${capital(game.notice)}.`;
  if (!position.live) return `Position after turn ${shown ?? "?"} of ${game.title}.`;
  if (game.agreeing) return `Both sides passed. Click the dead stones, then accept: ${game.count}.`;
  if (game.over) return game.ending;
  const side = sideName(game.sides[game.side]);
  if (game.question.length || game.toPut) return swap2Text(game, side);
  if (game.paused) return `${side} to move. The engines wait.`;
  if (game.thinking) return `${side} is thinking…`;
  if (turn?.warned) return turn.warned.warning;
  if (turn?.begun) return promptText(position, turn) || "Choose the next step.";
  const chosen = game.swapped && !position.explanation ? coloursText(game) : "";
  return [chosen, position.explanation || `${side} to move.`, promptText(position, turn)].filter(Boolean).join(" ");
}

// The state of a position that a lesson shows.
export function lessonText({ sides }, position, turn) {
  return [`${sideName(sides[position.side])} to move.`, promptText(position, turn)].filter(Boolean).join(" ");
}

// What to do next: a sentence for each place of the board that is pointed at.
function promptText({ beside }, turn) {
  const prompts = turn?.stage.prompts ?? [];
  const pointed = turn?.path.filter((name) => !beside[name]).length ?? 0;
  return prompts[Math.min(pointed, prompts.length - 1)];
}

function swap2Text({ question, seat, seats, toPut }, side) {
  const player = `The ${["first", "second"][seat]} player`;
  if (seats[seat].kind === "engine") return `Swap2: ${player.toLowerCase()}, the engine, ${toPut ? "puts stones" : "is choosing"}.`;
  if (toPut) return `Swap2: ${player.toLowerCase()} puts ${toPut === 1 ? "one more stone" : `${["two", "three"][toPut - 2]} stones`}, now a ${side.toLowerCase()} one.`;
  return `Swap2: ${player.toLowerCase()} chooses a colour${question.includes("more") ? ", or puts two more stones and lets the first one choose" : ""}.`;
}

// Who plays which side, once Swap2 has decided that.
function coloursText({ order, seats, sides }) {
  const people = [0, 1].filter((side) => seats[order[side]].kind === "person");
  if (people.length === 1) return `You are ${sideName(sides[people[0]])} now.`;
  return `The first player is ${sideName(sides[order.indexOf(0)])} now, the second ${sideName(sides[order.indexOf(1)])}.`;
}

// Why nobody can choose at this page now.
export function waitingText({ analysing, game, position, puzzle }) {
  if (puzzle) return "This mistake is done: go on below the board.";
  if (analysing) return "The dead stones come first: stop the analysis.";
  if (!position.live || game.over) return "Press Analyse to try turns here.";
  return game.question.length ? "The colour comes first: choose it below the board." : "It is the engine's turn.";
}

// What went wrong as a game was kept; empty if nothing did.
export function keepingText({ copiedFrom, name, unkept }) {
  if (unkept) return `This game cannot be kept: ${unkept}. It is tried again and again; save it, or it is lost with the server.`;
  return copiedFrom ? `Somebody else has gone on with ${copiedFrom}. This game is kept apart from it, as ${name}.` : "";
}

// What the last turn has done.
export function effectsText(last, sides) {
  if (last.announced) return ""; // it has not happened
  const side = sideName(sides[last.side] ?? "");
  const said = { pass: "passed", accept: "accepted", challenge: "challenged" }[last.turn];
  if (said) return `${side} ${said}.`;
  const parts = [];
  const pushed = last.moved.length > 1 && !last.moved.some(([from], index) => index && last.moved[index - 1][1] === from);
  if (pushed) parts.push(`pushed ${last.moved.slice(0, -1).map(([from, to]) => `${from}→${to}`).join(" ")}`);
  if (last.taken.length) parts.push(`${last.verb} ${last.taken.join(" ")}`);
  if (last.gone.length) parts.push(`removed ${last.gone.length > 1 ? "rings" : "ring"} ${last.gone.join(" ")}`);
  return `${side} played ${last.turn}${parts.length ? `: ${parts.join("; ")}` : ""}.`;
}

export function hintText({ turn, line }) {
  const worth = line.rate === undefined ? "" : ` (win rate ${percent(line.rate)})`;
  const expected = line.pv?.length > 1 ? `. Expected line: ${line.pv.slice(0, 5).join(" ")}` : "";
  return `The engine would play ${turn}${worth}${expected}.`;
}

// What is said of an answer to a puzzle that is a mistake, too.
export function mistakeText({ turn, loss }) {
  return `${turn} is a mistake, too: it lowers the win rate by ${percent(loss)}.`;
}

export function puzzleText(puzzle, sides) {
  const move = puzzle.list[puzzle.index];
  const found = puzzle.verdict;
  if (!found) return `Mistake ${puzzle.index + 1} of ${puzzle.list.length}: ${sideName(sides[move.side])} played ${move.turn}. Find a better turn.`;
  if (found.verdict === "best") return `${found.turn} is right: the best turn.`;
  if (found.verdict === "good") return `${found.turn} is good, too. The best is ${found.best}.`;
  if (found.verdict === "shown") return `The best turn is ${found.best}: ${found.pv.join(" ")}`;
  return mistakeText(found);
}
