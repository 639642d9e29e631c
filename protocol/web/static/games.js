// Games begun, opened, listed and saved, by dialogs.

import { startAnalysis } from "./analysis.js";
import { settings, state } from "./state.js";
import { ask, attempt, link, say } from "./table.js";
import * as dialogs from "./parts/dialogs.js";

async function open(name) {
  await ask("open", { game: name });
  link.shown = link.socket;
}

export function newGame() {
  dialogs.newGame(state.hello, state.game?.kind ?? "gipf", startGame);
}

export async function startGame(fields) {
  say("Preparing the game: this takes some seconds the first time.");
  await open((await ask("new", fields)).game);
}

function applySettings(changed) {
  Object.assign(settings, changed);
  localStorage.setItem("tengen", JSON.stringify(settings));
  document.documentElement.dataset.theme = settings.theme;
  if (state.analysing) startAnalysis();
}

export async function save() {
  const found = await attempt("export");
  if (!found) return;
  const address = URL.createObjectURL(new Blob([found.sgf], { type: "application/x-go-sgf" }));
  Object.assign(document.createElement("a"), { href: address, download: `${state.game.name}.sgf` }).click();
  URL.revokeObjectURL(address);
}

export async function listGames() {
  const found = await attempt("games");
  if (found) dialogs.listGames(found.games, open, (name) => ask("delete", { game: name }));
}

export function openText() {
  dialogs.openText(state.hello, state.game?.kind ?? "go", ask, async (fields) => open((await ask("load", fields)).game));
}

export async function showRules() {
  const found = await attempt("rules", { kind: state.game?.kind ?? "gipf" });
  if (found) dialogs.showRules(found);
}

export function changeSettings() {
  dialogs.settings({ ...settings, maxThreads: state.hello.threads }, applySettings);
}
