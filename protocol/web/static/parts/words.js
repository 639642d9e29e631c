// What the page says about games, turns and puzzles.

import { capital, percent } from "./dom.js";

// The state of a game; `shown` is the number of the position shown, `begun` whether a turn is half entered.
export function statusText(game, position, shown, begun) {
  if (game.notice) return game.notice;
  if (!position.live) return `Position after turn ${shown ?? "?"} of ${game.title}.`;
  if (game.agreeing) return `Both passed. Click dead stones; the result is then ${game.count}.`;
  if (game.over) return endText(game);
  if (position.explanation) return position.explanation;
  if (game.question.length) return `Swap2: ${game.seats[game.seat].kind === "person" ? "choose your colour" : "the engine chooses"}.`;
  const side = capital(game.sides[game.side]);
  if (game.thinking) return `${side} (the engine) thinks…`;
  return `${side} to move.${begun ? " Choose the next step, or go back." : ""}`;
}

function endText(game) {
  const won = game.winner === "draw" ? "A draw." : game.winner ? `${capital(game.winner)} wins.` : "";
  return [won, game.result && `Result ${game.result}.`, game.reason && `(${game.reason})`].filter(Boolean).join(" ");
}

// What the last turn has done.
export function effectsText(last, sides) {
  const side = capital(sides[last.side] ?? "");
  const parts = [];
  const pushed = last.moved.length > 1 && !last.moved.some(([from], index) => index && last.moved[index - 1][1] === from);
  if (pushed) parts.push(`pushed ${last.moved.slice(0, -1).map(([from, to]) => `${from}→${to}`).join(" ")}`);
  if (last.taken.length) parts.push(`${last.verb} ${last.taken.join(" ")}`);
  if (last.gone.length) parts.push(`${last.gone.length > 1 ? "rings" : "ring"} ${last.gone.join(" ")} gone`);
  return `${side} played ${last.turn}${parts.length ? `: ${parts.join("; ")}` : ""}.`;
}

export function hintText({ turn, line }) {
  const worth = line.rate === undefined ? "" : `, which wins ${percent(line.rate)}`;
  const expected = line.pv?.length > 1 ? `. Expected: ${line.pv.slice(0, 5).join(" ")}` : "";
  return `The engine would play ${turn}${worth}${expected}.`;
}

export function puzzleText(puzzle, sides) {
  const move = puzzle.list[puzzle.index];
  const found = puzzle.verdict;
  if (!found) return `${puzzle.index + 1} of ${puzzle.list.length}: ${move.turn} was a mistake here. Find a better turn for ${sides[move.side]}.`;
  if (found.verdict === "best") return `${found.turn} is right: the best turn.`;
  if (found.verdict === "good") return `${found.turn} is good, too. The best is ${found.best}.`;
  if (found.verdict === "shown") return `The best turn is ${found.best}: ${found.pv.join(" ")}`;
  return `${found.turn} loses ${percent(found.loss)}. Try again, or see the solution.`;
}
