// The analysis of the position shown, and hints.

import { showGraph } from "./review.js";
import { settings, state } from "./state.js";
import { attempt, showControls, showTurn } from "./table.js";
import { byId } from "./parts/dom.js";
import { showBar, showLines } from "./parts/panels.js";
import { hintText } from "./parts/texts.js";

export function startAnalysis() {
  const { lines, seconds } = settings;
  const threads = Math.min(settings.threads, state.hello.threads);
  return attempt("analyse", { on: true, lines, threads, seconds });
}

export function toggleAnalysis() {
  if (!state.game) return;
  state.analysing = !state.analysing;
  sessionStorage.setItem("analysing", state.analysing ? "yes" : ""); // a page that is loaded anew goes on
  byId("analyse").setAttribute("aria-pressed", String(state.analysing));
  byId("analysis").hidden = !state.analysing;
  showTheory();
  if (state.analysing) startAnalysis();
  else {
    attempt("analyse", { on: false });
    state.analysis = null;
    showBar(null);
  }
  showTurn();
  showControls();
}

const followLine = (line) => attempt("walk", { turns: line });

// What the theory that ships with the game knows of the position shown.
export async function showTheory() {
  const { lines, node, side } = (state.analysing && (await attempt("theory"))) || { lines: [] };
  if (node && node !== state.position.node) return; // another position was shown meanwhile
  byId("theory").hidden = !lines.length;
  showLines(byId("known"), lines, side, state.game.sides, followLine);
}

export function showAnalysis(event) {
  if (!state.position || event.node !== state.position.node || !state.analysing) return;
  state.analysis = event;
  state.message = "";
  if (event.lines.length) {
    const best = event.lines[0];
    const rate = event.side === 0 ? best.rate : 1 - best.rate;
    state.rates.set(event.node, rate);
    showBar(rate, state.game.sides);
    showGraph();
  }
  showLines(byId("lines"), event.lines, event.side, state.game.sides, followLine);
  if (!state.turn.begun && !state.puzzle) showTurn();
}

export function showHint(event) {
  if (event.node !== state.position.node) return;
  state.hint = event;
  state.message = hintText(event);
  showTurn();
}
