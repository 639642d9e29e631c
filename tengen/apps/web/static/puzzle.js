// A puzzle of the collection: one turn is right, and perhaps more after the replies.

import { learn, levelOne } from "./lesson.js";
import { state } from "./state.js";
import { attempt, restartTurn, say, showTurn } from "./table.js";
import { button, byId, element } from "./parts/dom.js";
import { t } from "./parts/words.js";

// Show the puzzle that `wanted` names: of the day, by its number, a task after lessons, or the next one that is due.
export function startPuzzle(wanted) {
  say(t("Preparing the puzzle: this takes up to 30 seconds the first time."));
  return learn("puzzle", wanted, { hinted: 0, said: [], solved: false, show: showQuestion, task: wanted.task, tryOut: answer });
}

function showQuestion() {
  const { daily, heading, hinted, hints, kind, question, said, solved, streak, task, tasks } = state.lesson;
  const buttons = [];
  if (!solved && hinted < hints.length) buttons.push(button(t("Hint"), hint));
  if (!solved) buttons.push(button(t("Show the solution"), () => answer("")));
  const next = task ? t("Next task") : t("Next puzzle");
  if (task === tasks) buttons.push(levelOne(kind, solved));
  else buttons.push(button(next, () => startPuzzle(task ? { kind, task: task + 1 } : { kind }), { className: solved ? "primary" : "" }));
  const texts = [question, ...hints.slice(0, hinted), ...said];
  if (streak) texts.push(t("Puzzles of the day solved in a row: {n}", { n: streak }));
  const title = daily ? t("Puzzle of the day: {heading}", { heading }) : t(heading);
  byId("lesson").replaceChildren(
    element("h2", { textContent: task ? t("Task {n} of {n2}", { n: task, n2: tasks }) : title }),
    ...texts.map((text) => element("p", { textContent: t(text) })),
    element("div", { className: "walk" }, ...buttons),
  );
}

function hint() {
  state.lesson.hinted += 1;
  showQuestion();
}

// Answer with a turn, or ask for the solution by an empty one.
async function answer(turn) {
  const { lesson } = state;
  const found = await attempt("guess", { turn });
  if (!found || state.lesson !== lesson) return;
  const { right, said, solution, streak } = found;
  Object.assign(lesson, { said: solution, solved: solution.length > 0, streak, hinted: right ? lesson.hints.length : lesson.hinted });
  if (!right) restartTurn();
  if (said) say(right && !lesson.solved ? `${t(said)} ${t("Go on.")}` : t(said));
  showQuestion();
  showTurn();
}
