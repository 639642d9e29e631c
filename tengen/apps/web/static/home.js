// The first screen: a game to choose, and those that were begun.

import { toggleAnalysis } from "./analysis.js";
import { listGames, newGame, open, openText } from "./games.js";
import { showLesson, startLesson } from "./lesson.js";
import { startPuzzle } from "./puzzle.js";
import { state } from "./state.js";
import { attempt, showControls, showStatus } from "./table.js";
import { button, byId, capital, element } from "./parts/dom.js";
import { gameText } from "./parts/dialogs.js";
import { language, t } from "./parts/words.js";

const LISTED = 3; // unfinished games
const LOOKED_AT = 30; // kept games, the last ones played: a folder may have thousands

function card({ name, puzzles, title, summary }) {
  const begin = button("", () => newGame(name), { className: "begin", "aria-label": t("Play {game}", { game: title }) });
  const cover = element("img", { src: `covers/${language}/${name}.svg`, alt: "", onerror: () => cover.remove() });
  begin.append(cover, element("strong", { textContent: title }));
  const more = [button(t("Learn"), () => startLesson(name), { "aria-label": t("Learn {game}", { game: title }) })];
  if (puzzles) more.push(button(t("Puzzles"), () => startPuzzle({ kind: name }), { "aria-label": t("Puzzles of {game}", { game: title }) }));
  return element("li", {}, begin, element("p", { className: "small", textContent: `${capital(t(summary))}.` }), element("div", { className: "walk" }, ...more));
}

function goOn(games) {
  const unfinished = games.filter((game) => !game.result && game.turns).slice(0, LISTED);
  const made = unfinished.map((game) => button(gameText(game), () => open(game.name)));
  if (games.length) made.push(button(t("All games"), () => listGames()));
  return [...made, button(t("Open a record"), () => openText())];
}

// Show the first screen, and leave the game that was shown.
export async function showHome() {
  if (state.analysing) toggleAnalysis();
  if (state.game) await attempt("close");
  Object.assign(state, { game: null, position: null, turn: null, puzzle: null, lesson: null, review: null, message: "" });
  showLesson();
  document.body.classList.add("home");
  document.title = "tengen";
  byId("cards").replaceChildren(...state.hello.games.map(card));
  const found = await attempt("games", { most: LOOKED_AT });
  byId("go-on").replaceChildren(...goOn(found?.games ?? []));
  showStatus();
  showControls();
}
