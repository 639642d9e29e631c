// The page: it shows one game of the server and sends what people do.

import "./choices.js";
import { showAnalysis, showHint, showTheory, startAnalysis, toggleAnalysis } from "./analysis.js";
import { changeSettings, listGames, newGame, openFiles, openText, save, setUpPosition, showKeeping, showLook, showRules } from "./games.js";
import { showHome } from "./home.js";
import { showLesson, startLesson } from "./lesson.js";
import { startPuzzle } from "./puzzle.js";
import { showGraph, showReview } from "./review.js";
import { settings, state } from "./state.js";
import { back } from "./steps.js";
import { ask, attempt, board, go, link, players, restartTurn, say, showBehind, showControls, showStatus, showTurn, turns } from "./table.js";
import { byId } from "./parts/dom.js";
import { showBar } from "./parts/panels.js";
import { t, translatePage } from "./parts/words.js";

let greeting = null; // the request for what the server tells of itself
let waiting = null; // what the last click asked for before the server said hello

async function onOpen() {
  state.message = "";
  greeting = ask("hello").then((hello) => (state.hello = hello));
  await Promise.all([greeting, route()]);
  waiting?.();
  waiting = null;
  if (state.analysing) startAnalysis();
  else if (sessionStorage.getItem("analysing")) toggleAnalysis();
}

// Open the game that the address names.
async function route() {
  const [, name, node] = location.hash.split("/");
  if (!name) return greeting.then(showHome);
  if (state.game?.name === name && state.position && (node ? state.position.node === node : state.position.live) && link.shown === link.socket) return;
  const lesson = name.match(/^lesson-(\w+)-(\d+)$/);
  if (lesson) return startLesson(lesson[1], Number(lesson[2]) - 1);
  const puzzle = name.match(/^(puzzle|task)-(\w+)-(\d+)$/);
  if (puzzle) return startPuzzle({ kind: puzzle[2], [puzzle[1] === "task" ? "task" : "number"]: Number(puzzle[3]) });
  try {
    await ask("open", node ? { game: name, node } : { game: name });
    link.shown = link.socket;
  } catch (error) {
    location.hash = "";
    await showHome();
    say(t(error.message));
  }
}

window.addEventListener("hashchange", route);

function onEvent(event) {
  if (event.event === "state") showState(event);
  else if (event.event === "tree") {
    turns.take(event.nodes);
    turns.show(state.position?.node);
    if ((settings.numbers || state.game?.over) && state.turn) showTurn(); // the review is offered once there are turns
    showStatus();
    showGraph();
    showControls();
  } else if (event.event === "analysis") showAnalysis(event);
  else if (event.event === "hint") showHint(event);
  else if (event.event === "review") showReview(event);
  else if (event.event === "notice") say(t(event.text));
}

function showState(event) {
  const { game, position } = event;
  const before = state.position;
  const ended = Boolean(state.game) && state.game.over !== game.over;
  const changed = !state.game || state.game.name !== game.name;
  Object.assign(state, { game, position });
  document.body.classList.remove("home");
  if (changed) {
    state.review = null;
    turns.marks = [];
    state.rates.clear();
    byId("reviewed").hidden = true;
    state.puzzle = state.lesson = null;
    showLesson();
    showBar(null);
    if (state.analysing) startAnalysis(); // the server has ended that of the game before
  }
  const address = position.live ? `#/${game.name}` : `#/${game.name}/${position.node}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  const moved = !before || before.node !== position.node || changed;
  const same = !moved && before.svg === position.svg && state.turn;
  if (moved || ended) {
    state.message = "";
    state.hint = null;
  }
  if (moved) {
    state.analysis = null;
    byId("lines").replaceChildren();
    showTheory();
  }
  document.title = `${game.title} – tengen`;
  if (!same) {
    restartTurn();
    if (moved && position.last && !changed) board.animate(position.last);
    if (moved && !changed && settings.sound) knock(game.over ? 440 : position.last?.taken.length ? 150 : 220);
  }
  showBehind();
  showKeeping();
  players.show(game);
  turns.show(position.node);
  showTurn();
  showGraph();
  showControls();
}

let audio = null;

// A short knock: of its own for a turn, for one that takes something, and for the end.
function knock(pitch) {
  audio ??= new AudioContext();
  const sound = audio.createOscillator();
  const volume = audio.createGain();
  sound.frequency.value = pitch;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.08);
  sound.connect(volume).connect(audio.destination);
  sound.start();
  sound.stop(audio.currentTime + 0.1);
}

const CLICKS = {
  "new-game": () => newGame(),
  games: listGames,
  daily: () => startPuzzle({ daily: true }),
  open: () => openText(),
  "set-up": setUpPosition,
  rules: () => showRules(),
  settings: changeSettings,
  undo: () => attempt("undo"),
  redo: () => attempt("redo"),
  hint: () => attempt("hint"),
  resign: () => attempt("resign"),
  analyse: toggleAnalysis,
  review: () => attempt("review", state.review?.running ? { stop: true } : { nodes: settings.nodes }),
  prune: () => attempt("prune"),
  first: () => go({ node: "start" }),
  previous: () => go({ by: -1 }),
  next: () => go({ by: 1 }),
  last: () => go({ by: 10000 }),
  export: save,
};
for (const [id, action] of Object.entries(CLICKS)) {
  byId(id).addEventListener("click", () => (state.hello ? action() : (waiting = action)));
}

let pressed = null; // a button, and where it was

// A button that is replaced while it is pressed gets its click all the same: lists come anew at any time.
document.addEventListener("pointerdown", ({ target }) => {
  const made = target.closest("button");
  pressed = made && { made, box: made.getBoundingClientRect() };
});
document.addEventListener("pointercancel", () => (pressed = null));
document.addEventListener("pointerup", ({ clientX, clientY }) => {
  const { made, box } = pressed ?? {};
  pressed = null;
  if (!made || made.isConnected) return;
  if (box.left <= clientX && clientX <= box.right && box.top <= clientY && clientY <= box.bottom) made.click();
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("dialog, input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey || !state.game) return;
  const keys = { ArrowLeft: { by: -1 }, ArrowRight: { by: 1 }, Home: { node: "start" }, End: { by: 10000 } };
  if (event.key === "Escape" && state.turn?.begun) back();
  else if (keys[event.key]) go(keys[event.key]);
  else return;
  event.preventDefault();
});

translatePage(document.body);
showLook();
showControls();
// A file dropped on the page, or a text pasted, is a record to open.
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (state.hello && event.dataTransfer.files[0]) openFiles([...event.dataTransfer.files]);
});
document.addEventListener("paste", (event) => {
  const text = event.clipboardData.getData("text/plain").trim();
  if (state.hello && text && !event.target.closest("dialog, input, textarea")) openText(event.clipboardData.files[0] ?? text);
});

link.start(onEvent, onOpen, () => say(t("No connection to the server. Trying again…")));
