// A lesson: a rule, and turns that are tried out in a position that shows it.

import { showRules, startGame } from "./games.js";
import { startPuzzle } from "./puzzle.js";
import { state } from "./state.js";
import { attempt, link, restartTurn, say, showTurn } from "./table.js";
import { button, byId, element } from "./parts/dom.js";
import { exampleTurn, marked } from "./parts/dialogs.js";
import { language, t } from "./parts/words.js";

// Show a lesson or a puzzle, for which the server is asked; `more` is what the page knows of it besides.
export async function learn(command, fields, more) {
  const found = await attempt(command, fields);
  if (!found) return;
  link.shown = link.socket;
  state.message = "";
  state.lesson = { ...more, ...found };
  showLesson();
  showTurn();
}

export function startLesson(kind, number = 0) {
  say(t("Preparing the lesson: this takes up to 30 seconds the first time."));
  return learn("lesson", { kind, number, language }, { kind, number, done: new Set(), tryOut });
}

// The turns that can be tried now: up to the next one that moves the game on.
function tasks() {
  const { done, turns } = state.lesson;
  const begin = turns.findLastIndex((turn, index) => turn.moves && done.has(index)) + 1;
  const end = turns.findIndex((turn, index) => index >= begin && turn.moves);
  return turns.map((turn, index) => ({ ...turn, index })).slice(begin, end < 0 ? turns.length : end + 1);
}

function task(turn) {
  const done = state.lesson.done.has(turn.index);
  const made = exampleTurn(turn, done ? "✓" : "○");
  made.classList.toggle("done", done);
  return made;
}

// The button that begins a game after the lessons and their tasks.
export function levelOne(kind, primary) {
  const seats = [{ kind: "person" }, { kind: "engine", level: 1 }];
  return button(t("Play level {n}", { n: 1 }), () => startGame({ spec: kind, seats }), { className: primary ? "primary" : "" });
}

// Show the lesson beside the board, or nothing where there is none.
export function showLesson() {
  const { lesson } = state;
  document.body.classList.toggle("learning", Boolean(lesson));
  if (!lesson) return;
  if (lesson.show) return lesson.show();
  const { count, done, heading, kind, number, texts, turns } = lesson;
  const now = tasks();
  const open = now.filter((each) => each.verdict !== "refused" && !done.has(each.index));
  const before = turns.map((turn, index) => ({ ...turn, index })).filter((turn) => turn.index < (now[0]?.index ?? turns.length) && done.has(turn.index));
  const buttons = [];
  if (number > 0) buttons.push(button(t("Back"), () => startLesson(kind, number - 1)));
  if (number + 1 < count) buttons.push(button(t("Next"), () => startLesson(kind, number + 1), { className: open.length ? "" : "primary" }));
  else {
    const more = state.hello.games.find(({ name }) => name === kind).puzzles;
    if (more) buttons.push(button(t("Small tasks"), () => startPuzzle({ kind, task: 1 }), { className: open.length ? "" : "primary" }));
    buttons.push(levelOne(kind, !more));
  }
  if (open.length) buttons.push(button(t("Show me"), () => tryOut(open[0].turn)));
  buttons.push(button(t("All rules"), () => showRules(kind)));
  byId("lesson").replaceChildren(
    element("h2", { textContent: t("Lesson {n} of {n2}: {name}", { n: number + 1, n2: count, name: heading }) }),
    ...texts.map((text) => element("p", {}, ...marked(text))),
    element("p", { textContent: open.length ? t("Try it on the board:") : t("Well done. Go on with what comes next.") }),
    element("ul", {}, ...[...before, ...now].map(task)),
    element("div", { className: "walk" }, ...buttons),
  );
}

// Whether a turn, which is legal, is one that the lesson asks for; those that move the game on are played.
async function tryOut(played) {
  const found = tasks().find(({ turn, verdict }) => turn === played && verdict !== "refused");
  if (!found) say(t("{turn} is legal, too.", { turn: played }));
  else if (found.moves) await attempt("walk", { turns: [played] });
  if (found) state.lesson.done.add(found.index);
  if (!found?.moves) restartTurn();
  if (found) say(found.reason ? t("{turn}: right, {name}.", { turn: found.turn, name: found.reason }) : t("{turn}: right.", found));
  showLesson();
  showTurn();
}
