// Games begun, opened, listed and saved, by dialogs.

import { startAnalysis, toggleAnalysis } from "./analysis.js";
import { settings, state } from "./state.js";
import { ask, attempt, board, link, restartTurn, say, showTurn } from "./table.js";
import { askForGame, askForSettings, askForText, readFile, showBook, showGames } from "./parts/dialogs.js";
import { button, byId, element } from "./parts/dom.js";
import { SetUp } from "./parts/setup.js";
import { keepingText } from "./parts/texts.js";
import { language, t } from "./parts/words.js";

const BEGINNERS = [{ kind: "person" }, { kind: "engine" }]; // the players first offered

// The players of the game shown, the one of the first side first.
function seatsInOrder() {
  return state.game.order.map((seat) => state.game.seats[seat]);
}

export async function open(name) {
  await ask("open", { game: name });
  link.shown = link.socket;
}

export function newGame(spec = state.game?.spec ?? "gipf") {
  askForGame(state.hello, spec, state.game ? seatsInOrder() : BEGINNERS, startGame);
}

export async function startGame(fields) {
  say(t("Preparing the game: this takes up to 30 seconds the first time."));
  await open((await ask("new", fields)).game);
}

function applySettings(changed) {
  const before = settings.language;
  Object.assign(settings, changed);
  localStorage.setItem("tengen", JSON.stringify(settings));
  if ("language" in changed && changed.language !== before) return location.reload(); // all words are others
  showLook();
  if (state.turn) {
    restartTurn();
    showTurn();
  }
  if (state.analysing) startAnalysis();
}

// Show the theme, the board and its coordinates as they are set.
export function showLook() {
  board.flipped = settings.flip;
  Object.assign(document.documentElement.dataset, { theme: settings.theme, board: settings.board, names: settings.names ? "" : "hidden" });
}

export async function save() {
  const found = await attempt("export");
  if (!found) return;
  const address = URL.createObjectURL(new Blob([found.sgf], { type: "application/x-go-sgf" }));
  Object.assign(document.createElement("a"), { href: address, download: `${state.game.name}.sgf` }).click();
  URL.revokeObjectURL(address);
}

// Say if the game is not kept, or under another name than before.
export function showKeeping() {
  const { game } = state;
  const text = keepingText(game);
  if (byId("keeping").firstChild?.textContent === text) return;
  byId("keeping").replaceChildren(...(text ? [element("span", {}, text), ...(game.unkept ? [button(t("Save SGF"), save)] : [])] : []));
}

export async function listGames() {
  const found = await attempt("games");
  if (found) showGames(found.games, open, (name) => ask("delete", { game: name }));
}

// Open a record; `given` is the text or the file to begin with.
export function openText(given) {
  askForText(state.hello, state.game?.spec ?? "go", ask, async (fields) => open((await ask("load", fields)).game), openFiles, given);
}

// Open a file; of several files all are kept, and the first one is shown.
export async function openFiles(files) {
  if (files.length === 1) return openText(files[0]);
  const opened = [];
  const failed = [];
  for (const file of files) {
    try {
      opened.push((await ask("load", { text: await readFile(file, ask), spec: state.game?.spec ?? "" })).game);
    } catch (error) {
      failed.push(`${file.name}: ${error.message}.`);
    }
  }
  if (opened.length) await open(opened[0]);
  say([`${opened.length} of ${files.length} files are kept in Games.`, ...failed].join(" "));
}

// Set up a position, beginning with the one shown.
export async function setUpPosition() {
  const { game, hello } = state;
  const shown = game ? await attempt("export") : { spec: "gipf", position: "" };
  if (!shown) return;
  new SetUp(hello, shown, game ? seatsInOrder() : BEGINNERS, ask, async (fields, analysed) => {
    await startGame(fields);
    if (analysed && !state.analysing) toggleAnalysis();
  });
}

export async function showRules(kind = state.game?.kind ?? "gipf") {
  const found = await attempt("rules", { kind, language });
  if (found) showBook(found);
}

export function changeSettings() {
  askForSettings({ ...settings, maxThreads: state.hello.threads }, applySettings);
}
