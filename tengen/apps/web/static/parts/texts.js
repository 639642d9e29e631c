// What the page says about games, turns and puzzles.

import { capital, percent, sideName } from "./dom.js";
import { t } from "./words.js";

// The state of a game; `shown` is the number of the position shown, `turn` the one that is being entered.
export function statusText(game, position, shown, turn) {
  if (game.notice) return `${capital(t(game.notice))}.`;
  if (!position.live) return t("Position after turn {n} of {game}.", { game: game.title, n: shown ?? "?" });
  if (game.agreeing) return t("Both sides passed. Click the dead stones, then accept: {count}.", { count: game.count });
  if (game.over) return t(game.ending);
  const side = sideName(game.sides[game.side]);
  if (game.question.length || game.toPut) return swap2Text(game, side);
  if (game.paused) return t("{side} to move. The engines wait.", { side });
  if (game.thinking) return t("{side} is thinking…", { side });
  if (turn?.warned) return t(turn.warned.warning);
  if (turn?.begun) return promptText(position, turn) || t("Choose the next step.");
  const chosen = game.swapped && !position.explanation ? coloursText(game) : "";
  return [chosen, t(position.explanation) || t("{side} to move.", { side }), promptText(position, turn)].filter(Boolean).join(" ");
}

// The state of a position that a lesson shows.
export function lessonText({ sides }, position, turn) {
  return [t("{side} to move.", { side: sideName(sides[position.side]) }), promptText(position, turn)].filter(Boolean).join(" ");
}

// What to do next: a sentence for each place of the board that is pointed at.
function promptText({ beside }, turn) {
  const prompts = turn?.stage.prompts ?? [];
  const pointed = turn?.path.filter((name) => !beside[name]).length ?? 0;
  return t(prompts[Math.min(pointed, prompts.length - 1)] ?? "");
}

function swap2Text({ question, seat, seats, toPut }, side) {
  const player = [t("the first player"), t("the second player")][seat];
  if (seats[seat].kind === "engine") return toPut ? t("Swap2: {player}, the engine, puts stones.", { player }) : t("Swap2: {player}, the engine, is choosing.", { player });
  if (toPut) return t("Swap2: {player} puts stones: {n} left, the next one is {side}.", { player, n: toPut, side: side.toLowerCase() });
  if (!question.includes("more")) return t("Swap2: {player} chooses a colour.", { player });
  return t("Swap2: {player} chooses a colour, or puts two more stones and lets the first one choose.", { player });
}

// Who plays which side, once Swap2 has decided that.
function coloursText({ order, seats, sides }) {
  const people = [0, 1].filter((side) => seats[order[side]].kind === "person");
  if (people.length === 1) return t("You are {side} now.", { side: sideName(sides[people[0]]) });
  return t("The first player is {side} now, the second {side2}.", { side: sideName(sides[order.indexOf(0)]), side2: sideName(sides[order.indexOf(1)]) });
}

// Why nobody can choose at this page now.
export function waitingText({ analysing, game, lesson, position, puzzle }) {
  if (lesson) return t("This puzzle is done: go on beside the board.");
  if (puzzle) return t("This mistake is done: go on below the board.");
  if (analysing) return t("The dead stones come first: stop the analysis.");
  if (!position.live || game.over) return t("Press Analyse to try turns here.");
  return game.question.length ? t("The colour comes first: choose it below the board.") : t("It is the engine's turn.");
}

// What went wrong as a game was kept; empty if nothing did.
export function keepingText({ copiedFrom, name, unkept }) {
  if (unkept) return t("This game cannot be kept: {name}. It is tried again and again; save it, or it is lost with the server.", { name: unkept });
  return copiedFrom ? t("Somebody else has gone on with {name}. This game is kept apart from it, as {name2}.", { name: copiedFrom, name2: name }) : "";
}

// What the last turn has done.
export function effectsText(last, sides) {
  if (last.announced) return ""; // it has not happened
  const side = sideName(sides[last.side] ?? "");
  if (last.turn === "pass") return t("{side} passed.", { side });
  if (last.turn === "accept") return t("{side} accepted.", { side });
  if (last.turn === "challenge") return t("{side} challenged.", { side });
  const parts = [];
  const pushed = last.moved.length > 1 && !last.moved.some(([from], index) => index && last.moved[index - 1][1] === from);
  if (pushed) parts.push(t("pushed {places}", { places: last.moved.slice(0, -1).map(([from, to]) => `${from}→${to}`).join(" ") }));
  if (last.taken.length) parts.push(`${t(last.verb)} ${last.taken.join(" ")}`);
  if (last.gone.length) parts.push(last.gone.length > 1 ? t("removed rings {places}", { places: last.gone.join(" ") }) : t("removed ring {places}", { places: last.gone.join(" ") }));
  const { turn } = last;
  return parts.length ? t("{side} played {turn}: {name}.", { side, turn, name: parts.join("; ") }) : t("{side} played {turn}.", { side, turn });
}

export function hintText({ turn, line, why }) {
  const worth = line.rate === undefined ? "" : ` (${t("win rate {name}", { name: percent(line.rate) })})`;
  const expected = line.pv?.length > 1 ? [t("Expected line: {name}", { name: line.pv.slice(0, 5).join(" ") })] : [];
  return `${[t("The engine would play {turn}", { turn }) + worth, ...why.map((each) => capital(t(each))), ...expected].join(". ")}.`;
}

// What is said of an answer to a puzzle that is a mistake, too.
export function mistakeText({ turn, loss }) {
  return t("{turn} is a mistake, too: it lowers the win rate by {name}.", { turn, name: percent(loss) });
}

export function puzzleText(puzzle, sides) {
  const move = puzzle.list[puzzle.index];
  const found = puzzle.verdict;
  if (!found) return t("Mistake {n} of {n2}: {side} played {turn}. Find a better turn.", { n: puzzle.index + 1, n2: puzzle.list.length, side: sideName(sides[move.side]), turn: move.turn });
  if (found.verdict === "best") return t("{turn} is right: the best turn.", found);
  if (found.verdict === "good") return t("{turn} is good, too. The best is {name}.", { turn: found.turn, name: found.best });
  if (found.verdict === "shown") return t("The best turn is {turn}: {name}", { turn: found.best, name: found.pv.join(" ") });
  return mistakeText(found);
}
