// The page: it shows one game of the server and sends what people do.

import { Board } from "./board.js";
import * as dialogs from "./dialogs.js";
import { button, byId, capital, element, percent, svgOf } from "./dom.js";
import { Link } from "./link.js";
import { drawGraph, Players, showBar, showLines, showSummary, Turns } from "./panels.js";
import { knock } from "./sound.js";
import { Turn } from "./turn.js";
import { effectsText, hintText, puzzleText, statusText } from "./words.js";

const DEFAULTS = { theme: "", sound: false, lines: 3, threads: 1, seconds: 60, nodes: 20000 };
const settings = { ...DEFAULTS, ...JSON.parse(localStorage.getItem("tengen") ?? "{}") };

let hello = null; // what the server has told about itself
let game = null; // the game shown
let position = null; // the position shown
let turn = null; // the turn that is being put together
let analysing = false;
let review = null;
let puzzle = null; // the mistake that is being corrected
let message = ""; // said beside the status
let analysis = null; // the last report about the position shown
let hint = null;
const rates = new Map(); // win rates of the first side by node, as analysed

const link = new Link(onEvent, onOpen, () => say("The server is gone. Trying again…"));
const ask = (command, fields) => link.ask(command, fields);
const board = new Board(byId("board"), point, (from, to) => {
  turn && puzzleOrMine() && !turn.takes && (turn.path = turn.path.at(-1) === from ? turn.path : []);
  if (turn && turn.path.at(-1) !== from) point(from);
  point(to);
});
const players = new Players(byId("players"), changePlayer);
const turns = new Turns(byId("turns"), (key) => go({ node: key }));

// ------------------------------------------------------------------------------------------------- the server

async function onOpen() {
  message = "";
  const opened = route();
  hello = await ask("hello");
  await opened;
  if (!game && !location.hash) newGame();
  if (analysing) startAnalysis();
}

// Open the game that the address names.
async function route() {
  const [, name, node] = location.hash.split("/");
  if (!name) return;
  if (game?.name === name && position && (node ? position.node === node : position.live) && link.shown === link.socket) return;
  try {
    await ask("open", node ? { game: name, node } : { game: name });
    link.shown = link.socket;
  } catch (error) {
    location.hash = "";
    say(error.message);
  }
}

window.addEventListener("hashchange", route);

function onEvent(event) {
  if (event.event === "state") showState(event);
  else if (event.event === "tree") {
    turns.take(event.nodes);
    turns.show(position?.node);
    showGraph();
  } else if (event.event === "analysis") showAnalysis(event);
  else if (event.event === "hint") showHint(event);
  else if (event.event === "review") showReview(event);
  else if (event.event === "notice") say(event.text);
}

// Do something on the server; what it refuses is said.
async function attempt(command, fields) {
  try {
    return await ask(command, fields);
  } catch (error) {
    say(error.message);
    return null;
  }
}

function say(text) {
  message = text;
  showStatus();
}

// ---------------------------------------------------------------------------------------------- the position

function showState(event) {
  const before = position;
  const changed = !game || game.name !== event.game.name;
  game = event.game;
  position = event.position;
  if (changed) {
    review = null;
    rates.clear();
    byId("reviewed").hidden = true;
    puzzle = null;
  }
  const address = position.live ? `#/${game.name}` : `#/${game.name}/${position.node}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  const moved = !before || before.node !== position.node || changed;
  const same = !moved && before.svg === position.svg && turn;
  if (moved) {
    message = "";
    hint = null;
    analysis = null;
  }
  document.title = `${game.title} – tengen`;
  if (!same) {
    turn = new Turn(position);
    board.draw(position.svg, position.title, position.contents);
    if (moved && position.last && !changed) board.animate(position.last);
    if (moved && !changed && settings.sound) knock();
  }
  showBehind();
  players.show(game);
  turns.show(position.node);
  showTurn();
  showGraph();
  showControls();
}

function showBehind() {
  const behind = byId("behind");
  behind.hidden = !position.behind;
  if (!position.behind) return behind.replaceChildren();
  const svg = svgOf(position.behind);
  behind.replaceChildren(svg);
}

// Whether turns are tried out, not played.
function isFree() {
  return analysing || !position.live || game.over;
}

// Whether the person at this page may choose now.
function puzzleOrMine() {
  if (puzzle) return !puzzle.verdict;
  if (isFree()) return analysing && !game.agreeing;
  if (game.question.length || game.agreeing) return false;
  return game.seats[game.seat].kind === "person" || game.awaitsResult;
}

function showTurn() {
  const mine = puzzleOrMine();
  board.clear();
  const begun = turn.begun;
  if (position.last && !begun && !puzzle) board.markLast(position.last);
  if (game.agreeing && position.live) for (const name of game.dead) board.ring(name, "dead", 0.5);
  if (analysis && !begun && !puzzle) showCandidates();
  if (hint && !begun) board.showTurn(hint.turn, "", "hint", 1);
  if (puzzle?.verdict && puzzle.verdict.best) board.showTurn(puzzle.verdict.best, "", "hint", 1);
  board.light(mine ? turn.lit() : new Set(game.agreeing && position.live ? Object.keys(position.contents) : []), turn.marked());
  showChoices(mine);
  showStatus();
  showEffects();
}

function showChoices(mine) {
  const made = [];
  if (puzzle) made.push(...puzzleButtons());
  else if (game.question.length && position.live && !analysing) made.push(...questionButtons());
  else if (game.agreeing && position.live && !analysing) {
    made.push(button(`Accept ${game.count}`, () => attempt("accept")), button("Play on", () => attempt("resume")));
  }
  else if (game.offeredLevel && position.live && !analysing) made.push(...offerButtons());
  if (mine) made.push(...stepButtons());
  byId("choices").replaceChildren(...made);
}

function questionButtons() {
  if (game.seats[game.seat].kind !== "person") return [];
  const words = { black: "Play Black", white: "Play White", more: "Put two more stones" };
  return game.question.map((choice) => button(words[choice], () => attempt("choose", { choice })));
}

// After a game with the engine: another one, at the next level or the same.
function offerButtons() {
  const again = (level) => {
    const seats = game.seats.map((seat) => (seat.kind === "engine" ? { ...seat, level } : seat));
    return startGame({ spec: game.spec, seats, clock: game.clock && { main: game.clock.main, increment: game.clock.increment }, swap2: game.swap2 });
  };
  const { level } = game.seats.find((seat) => seat.kind === "engine");
  return [
    button(`Play level ${game.offeredLevel}`, () => again(game.offeredLevel), { className: "primary" }),
    button(`Level ${level} again`, () => again(level)),
  ];
}

function stepButtons() {
  const made = [];
  const beside = position.beside ?? {};
  if (turn.takes) {
    if (turn.selected) made.push(button(`✓ ${capital(turn.selected.label)}`, () => choose(turn.selected.action), { className: "primary" }));
    for (const choice of turn.choices.slice(0, 12)) {
      if (choice !== turn.selected) made.push(button(capital(choice.label), () => choose(choice.action)));
    }
  } else {
    for (const name of turn.next()) {
      if (!board.places.has(name) || beside[name]) made.push(button(capital(beside[name] ?? name), () => point(name)));
    }
    const few = turn.choices.length <= 3 && !turn.path.length;
    for (const choice of turn.choices) {
      if (!choice.paths.length || (few && turn.stages.length > 1)) made.push(button(capital(choice.label), () => choose(choice.action)));
    }
  }
  if (turn.begun) made.push(button("Back", back));
  return made;
}

function showStatus() {
  if (!game || !position) {
    byId("status").textContent = message;
    return;
  }
  const shown = turns.nodes.get(position.node)?.number;
  byId("status").textContent = [message, puzzle ? puzzleText(puzzle, game.sides) : statusText(game, position, shown, turn?.begun)].filter(Boolean).join(" ");
}

function showEffects() {
  byId("effects").textContent = position.last ? effectsText(position.last, game.sides) : "";
}

function showControls() {
  const playing = !game.over && !game.agreeing;
  const node = turns.nodes.get(position.node);
  byId("undo").disabled = game.current === "start" || analysing;
  byId("redo").disabled = analysing || !turns.nodes.get(game.current)?.children.length;
  byId("resign").disabled = !playing;
  byId("hint").disabled = game.over && position.live;
  byId("review").textContent = review?.running ? "Stop review" : "Review";
  byId("prune").disabled = position.live || !node;
  byId("first").disabled = byId("previous").disabled = position.node === "start";
}

// ------------------------------------------------------------------------------------------------ turns in steps

async function point(name) {
  if (!game) return;
  if (game.agreeing && position.live && !analysing && !puzzle) {
    attempt("dead", { vertex: name });
    return;
  }
  if (!puzzleOrMine()) {
    if (!position.live || game.over) say("Press Analyse to try turns here.");
    return;
  }
  const action = turn.point(name);
  if (action === null) showTurn();
  else await choose(action);
}

async function choose(action) {
  const actions = [...turn.stage.chosen, action];
  const fields = { node: position.node, actions, free: isFree() };
  if (puzzle) Object.assign(fields, { dry: true });
  const reply = await attempt("step", fields);
  if (!reply) {
    turn.path = [];
    showTurn();
    return;
  }
  if (reply.turn) {
    if (puzzle) await solve(reply.turn);
    return;
  }
  turn.advance(reply);
  board.draw(reply.svg, reply.title, reply.contents);
  showTurn();
}

function back() {
  const stages = turn.stages.length;
  turn.back();
  if (turn.stages.length < stages) board.draw(turn.stage.svg, turn.stage.title, turn.stage.contents);
  showTurn();
}

function go(fields) {
  puzzle = null;
  return attempt("go", fields);
}

// --------------------------------------------------------------------------------------------------- analysis

function startAnalysis() {
  const { lines, seconds } = settings;
  const threads = Math.min(settings.threads, hello.threads);
  return attempt("analyse", { on: true, lines, threads, seconds });
}

function toggleAnalysis() {
  if (!game) return;
  analysing = !analysing;
  byId("analyse").setAttribute("aria-pressed", String(analysing));
  byId("analysis").hidden = !analysing;
  if (analysing) startAnalysis();
  else {
    attempt("analyse", { on: false });
    analysis = null;
    showBar(null);
  }
  showTurn();
  showControls();
}

function showAnalysis(event) {
  if (!position || event.node !== position.node || !analysing) return;
  analysis = event;
  message = "";
  if (event.lines.length) {
    const best = event.lines[0];
    const rate = event.side === 0 ? best.rate : 1 - best.rate;
    rates.set(event.node, rate);
    showBar(rate, game.sides);
    showGraph();
  }
  showLines(byId("lines"), event.lines, event.side, game.sides, (line) => attempt("walk", { turns: line }));
  if (!turn.begun && !puzzle) showTurn();
}

function showCandidates() {
  const owners = analysis.lines[0]?.ownership;
  if (owners) board.showOwners(owners.map((owner) => (analysis.side === 0 ? owner : -owner)), game.sides);
  [...analysis.lines].reverse().forEach((line) => {
    board.showTurn(line.pv[0], percent(line.rate), line.rank === 1 ? "candidate best" : "candidate", line.rank === 1 ? 0.95 : 0.7);
  });
}

function showHint(event) {
  if (event.node !== position.node) return;
  hint = event;
  message = hintText(event);
  showTurn();
}

// ----------------------------------------------------------------------------------------------------- review

function showReview(event) {
  review = event;
  byId("reviewed").hidden = false;
  const done = event.rates.length;
  const state = event.error || (event.running ? `Position ${done} of ${event.positions}, ${event.effort} each…` : `${event.positions} positions, ${event.effort} each.`);
  byId("progress").textContent = state;
  turns.marks = event.moves;
  turns.render();
  showSummary(byId("summary"), event.summary);
  showGraph();
  showControls();
  showPuzzleMenu();
}

function shownNumber() {
  const node = turns.nodes.get(position?.node);
  return node && turns.onMain(node) ? node.number : -1;
}

function showGraph() {
  const line = turns.mainLine();
  const known = review ? review.rates : line.map((node) => rates.get(node.key));
  if (!review && !known.some((rate) => rate !== undefined)) return;
  byId("reviewed").hidden = false;
  const padded = line.map((_, number) => known[number]);
  drawGraph(byId("graph"), padded, (review?.moves ?? []).map((move) => move.mark), shownNumber(), game.sides, (number) => go({ node: line[number].key }));
  showJudgement();
}

// What the review says about the turn that led to the position shown, and the better one.
function showJudgement() {
  const move = review?.moves[shownNumber() - 1];
  const root = byId("judgement");
  if (!move || puzzle) return root.replaceChildren();
  const loss = move.loss === null ? "" : ` loses ${percent(move.loss)}`;
  const text = move.turn === move.best ? `${move.turn}: as the engine.` : `${move.turn}${move.mark}${move.mark ? loss : ""}. Better: `;
  const better = move.turn === move.best ? null : button(move.pv.slice(0, 4).join(" "), () => showBetter(move), { className: "turn" });
  const why = move.reasons.map((reason) => element("p", { className: "small", textContent: reason }));
  root.replaceChildren(text, ...(better ? [better] : []), ...why);
}

async function showBetter(move) {
  await go({ by: -1 });
  await attempt("walk", { turns: move.pv.slice(0, 1) });
}

function mistakes(side) {
  return review.puzzles.map((number) => ({ ...review.moves[number], number })).filter((move) => move.side === side);
}

function showPuzzleMenu() {
  const made = game.sides.map((name, side) => {
    const number = mistakes(side).length;
    return button(`Learn from ${capital(name)}'s mistakes (${number})`, () => startPuzzles(side), { disabled: !number });
  });
  byId("puzzles").replaceChildren(...made);
}

async function startPuzzles(side) {
  const list = mistakes(side);
  await showPuzzle(list, 0);
}

async function showPuzzle(list, index) {
  const line = turns.mainLine();
  await go({ node: line[list[index].number].key });
  puzzle = { list, index, verdict: null };
  turn = new Turn(position);
  message = "";
  board.draw(position.svg, position.title, position.contents);
  showTurn();
  byId("board").querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
}

function puzzleButtons() {
  const made = [];
  const { list, index, verdict } = puzzle;
  if (!verdict || verdict.verdict === "mistake") {
    const move = list[index];
    made.push(button("Show the solution", () => setVerdict({ verdict: "shown", best: move.best, pv: move.pv })));
  }
  if (index + 1 < list.length) made.push(button("Next mistake", () => showPuzzle(list, index + 1)));
  made.push(button("End", () => go({ node: position.node })));
  return made;
}

async function solve(played) {
  const found = await attempt("solve", { number: puzzle.list[puzzle.index].number, turn: played });
  if (!found) return;
  if (found.verdict === "mistake") {
    turn = new Turn(position);
    board.draw(position.svg, position.title, position.contents);
    puzzle.verdict = null;
    message = `${found.turn} loses ${percent(found.loss)}.`;
    showTurn();
  } else setVerdict(found);
}

function setVerdict(found) {
  puzzle.verdict = found;
  message = "";
  turn = new Turn(position);
  board.draw(position.svg, position.title, position.contents);
  showTurn();
}

// ----------------------------------------------------------------------------------------------------- dialogs

async function open(name) {
  await ask("open", { game: name });
  link.shown = link.socket;
}

function newGame() {
  dialogs.newGame(hello, game?.kind ?? "gipf", startGame);
}

async function startGame(fields) {
  say("Preparing the game: this takes some seconds the first time.");
  await open((await ask("new", fields)).game);
}

function changePlayer(number, side) {
  dialogs.changePlayer(game.sides[side], game.seats[number], hello.levels, (player) => ask("seat", { seat: number, player }));
}

function applySettings(changed) {
  Object.assign(settings, changed);
  localStorage.setItem("tengen", JSON.stringify(settings));
  document.documentElement.dataset.theme = settings.theme;
  if (analysing) startAnalysis();
}

async function save() {
  const found = await attempt("export");
  if (!found) return;
  const address = URL.createObjectURL(new Blob([found.sgf], { type: "application/x-go-sgf" }));
  Object.assign(document.createElement("a"), { href: address, download: `${game.name}.sgf` }).click();
  URL.revokeObjectURL(address);
}

const CLICKS = {
  "new-game": newGame,
  games: async () => {
    const found = await attempt("games");
    if (found) dialogs.listGames(found.games, open, (name) => ask("delete", { game: name }));
  },
  open: () => dialogs.openText(hello, game?.kind ?? "go", ask, async (fields) => open((await ask("load", fields)).game)),
  rules: async () => {
    const found = await attempt("rules", { kind: game?.kind ?? "gipf" });
    if (found) dialogs.showRules(found);
  },
  settings: () => dialogs.settings({ ...settings, maxThreads: hello.threads }, applySettings),
  undo: () => attempt("undo"),
  redo: () => attempt("redo"),
  hint: () => attempt("hint"),
  resign: () => attempt("resign"),
  analyse: toggleAnalysis,
  review: () => attempt("review", review?.running ? { stop: true } : { nodes: settings.nodes }),
  prune: () => attempt("prune"),
  first: () => go({ node: "start" }),
  previous: () => go({ by: -1 }),
  next: () => go({ by: 1 }),
  last: () => go({ by: 10000 }),
  export: save,
};
for (const [id, action] of Object.entries(CLICKS)) byId(id).addEventListener("click", () => action());

document.addEventListener("keydown", (event) => {
  if (event.target.closest("dialog, input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey || !game) return;
  const keys = { ArrowLeft: { by: -1 }, ArrowRight: { by: 1 }, Home: { node: "start" }, End: { by: 10000 } };
  if (event.key === "Escape" && turn?.begun) back();
  else if (keys[event.key]) go(keys[event.key]);
  else return;
  event.preventDefault();
});

document.documentElement.dataset.theme = settings.theme;
