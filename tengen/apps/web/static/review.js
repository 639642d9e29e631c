// The review of a game: its graph, what was better, and its mistakes as puzzles.

import { state } from "./state.js";
import { attempt, go, restartTurn, showControls, showTurn, turns } from "./table.js";
import { button, byId, element, percent, sideName } from "./parts/dom.js";
import { drawGraph, showSummary } from "./parts/panels.js";
import { mistakeText } from "./parts/texts.js";
import { t } from "./parts/words.js";

export function showReview(event) {
  state.review = event;
  byId("reviewed").hidden = false;
  const done = event.rates.length;
  const known = { n: done, n2: event.positions, effort: event.effort };
  const progress = t(event.error) || (event.running ? t("Position {n} of {n2}, {effort} each…", known) : t("{n2} positions, {effort} each.", known));
  byId("progress").textContent = progress;
  turns.marks = event.moves;
  turns.render();
  showSummary(byId("summary"), event.summary);
  showGraph();
  showControls();
  showPuzzleMenu();
  if (!event.running) showTurn();
}

function shownNumber() {
  const node = turns.nodes.get(state.position?.node);
  return node && turns.onMain(node) ? node.number : -1;
}

export function showGraph() {
  const line = turns.mainLine();
  const known = state.review ? state.review.rates : line.map((node) => state.rates.get(node.key));
  if (!state.review && known.filter((rate) => rate !== undefined).length < 2) return;
  byId("reviewed").hidden = false;
  byId("reviewed-title").textContent = state.review ? t("Review") : t("{side}'s win rate", { side: sideName(state.game.sides[0]) });
  const padded = line.map((_, number) => known[number]);
  drawGraph(byId("graph"), padded, (state.review?.moves ?? []).map((move) => move.mark), shownNumber(), state.game.sides, (number) => go({ node: line[number].key }));
  showJudgement();
}

// What the review says about the turn that led to the position shown, and the better one.
function showJudgement() {
  const move = state.review?.moves[shownNumber() - 1];
  const root = byId("judgement");
  if (!move || state.puzzle) return root.replaceChildren();
  const { turn } = move;
  const marked = { turn: turn + move.mark, name: percent(move.loss ?? 0) };
  const mistake = move.loss === null ? t("{turn}. Better:", marked) : t("{turn} lowers the win rate by {name}. Better:", marked);
  const judged = move.mark ? mistake : t("{turn} is a good turn. The engine prefers:", { turn });
  const text = turn === move.best ? t("{turn} is the engine's choice, too.", { turn }) : `${judged} `;
  const better = move.turn === move.best ? null : button(move.pv.slice(0, 4).join(" "), () => showBetter(move), { className: "turn" });
  const why = move.reasons.map((reason) => element("p", { className: "small", textContent: t(reason) }));
  root.replaceChildren(text, ...(better ? [better] : []), ...why);
}

async function showBetter(move) {
  await go({ by: -1 });
  await attempt("walk", { turns: move.pv.slice(0, 1) });
}

function mistakes(side) {
  return state.review.puzzles.map((number) => ({ ...state.review.moves[number], number })).filter((move) => move.side === side);
}

function showPuzzleMenu() {
  const made = state.game.sides.map((name, side) => {
    const number = mistakes(side).length;
    return button(t("Learn from {side}'s mistakes ({n})", { side: sideName(name), n: number }), () => showPuzzle(mistakes(side), 0), { disabled: !number });
  });
  byId("puzzles").replaceChildren(...made);
}

// After a game: the biggest mistake of each side, one click away, or the review that finds them.
export function mistakeButtons() {
  const { game, review } = state;
  if (!review) return turns.first?.children.length ? [button(t("Review"), () => byId("review").click())] : [];
  const biggest = (side) => review.moves.filter((move) => move.side === side && move.mark).sort((one, other) => other.loss - one.loss)[0];
  return [0, 1].map(biggest).filter(Boolean).map((move) =>
    button(t("{side}'s biggest mistake: {turn}", { side: sideName(game.sides[move.side]), turn: move.turn }), () => go({ node: turns.mainLine()[review.moves.indexOf(move) + 1].key })),
  );
}

async function showPuzzle(list, index) {
  const line = turns.mainLine();
  await go({ node: line[list[index].number].key });
  state.puzzle = { list, index, verdict: null };
  state.message = "";
  showJudgement();
  restartTurn();
  showTurn();
  byId("board").querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
}

export function puzzleButtons() {
  const made = [];
  const { list, index, verdict } = state.puzzle;
  if (!verdict || verdict.verdict === "mistake") {
    const move = list[index];
    made.push(button(t("Show the solution"), () => setVerdict({ verdict: "shown", best: move.best, pv: move.pv })));
  }
  if (index + 1 < list.length) made.push(button(t("Next mistake"), () => showPuzzle(list, index + 1)));
  made.push(button(t("End"), () => go({ node: state.position.node })));
  return made;
}

export async function solve(played) {
  const found = await attempt("solve", { number: state.puzzle.list[state.puzzle.index].number, turn: played });
  if (!found) return;
  if (found.verdict === "mistake") {
    restartTurn();
    state.puzzle.verdict = null;
    state.message = mistakeText(found);
    showTurn();
  } else setVerdict(found);
}

function setVerdict(found) {
  state.puzzle.verdict = found;
  state.message = "";
  restartTurn();
  showTurn();
}
