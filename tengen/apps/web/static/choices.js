// The buttons below the board: the next steps of a turn, and what else there is to choose.

import { newGame, startGame } from "./games.js";
import { mistakeButtons, puzzleButtons } from "./review.js";
import { state } from "./state.js";
import { back, choose, point } from "./steps.js";
import { attempt, board, onTurnShown, showTurn } from "./table.js";
import { button, byId, capital } from "./parts/dom.js";
import { t } from "./parts/words.js";

// The words of a choice for a button; names of places stay as they are.
function labelled(words) {
  return /^[a-z]\d/.test(words) ? t(words) : capital(t(words));
}

function showChoices(mine) {
  const { analysing, game, position, puzzle } = state;
  const made = [];
  if (puzzle) made.push(...puzzleButtons());
  else if (game.question.length && position.live && !analysing) made.push(...questionButtons());
  else if (game.agreeing && position.live && !analysing) {
    made.push(button(t("Accept: {count}", { count: game.count }), () => attempt("accept")), button(t("Play on"), () => attempt("resume")));
  }
  else if (game.over && !game.agreeing && !analysing) made.push(...endButtons());
  else if (!analysing && game.seats.every((seat) => seat.kind === "engine")) made.push(...pauseButtons());
  if (mine) made.push(...stepButtons());
  byId("choices").replaceChildren(...made);
}

function questionButtons() {
  const { game } = state;
  if (game.seats[game.seat].kind !== "person") return [];
  const words = { black: t("Play Black"), white: t("Play White"), more: t("Put two more stones") };
  return game.question.map((choice) => button(words[choice], () => attempt("choose", { choice })));
}

// Engines that play each other wait, or play turn by turn.
function pauseButtons() {
  if (!state.game.paused) return [button(t("Pause"), () => attempt("pause", { how: "pause" }))];
  return [button(t("Go on"), () => attempt("pause"), { className: "primary" }), button(t("One turn"), () => attempt("pause", { how: "one turn" }))];
}

// After a game: another one like it, and what the review says.
function endButtons() {
  const { clock, offeredLevel, seats, spec, start, swap2 } = state.game;
  const again = (others) =>
    startGame({ spec, seats: others, position: start, swap2, clock: clock && { ...clock, left: [] } });
  const atLevel = (level) => seats.map((seat) => (seat.kind === "engine" ? { ...seat, level } : seat));
  const buttons = [button(t("Rematch"), () => again(seats), { className: "primary" }), button(t("Swap sides"), () => again([...seats].reverse()))];
  if (offeredLevel) buttons.unshift(button(t("Play level {n}", { n: offeredLevel }), () => again(atLevel(offeredLevel))));
  if (seats.some((seat) => seat.kind === "engine" && !seat.name)) buttons.push(button(t("Another level"), newGame));
  return [...buttons, ...mistakeButtons()];
}

function stepButtons() {
  const { position, turn } = state;
  const made = [];
  const beside = position.beside ?? {};
  if (turn.warned) made.push(button(t("Play it all the same"), () => choose(turn.warned.action), { className: "primary" }));
  else if (turn.takes) {
    if (turn.selected) made.push(button(`✓ ${labelled(turn.selected.label)}`, () => choose(turn.selected.action), { className: "primary" }));
    for (const choice of turn.choices.slice(0, 12)) {
      if (choice !== turn.selected) made.push(button(labelled(choice.label), () => choose(choice.action)));
    }
  } else {
    made.push(...tray(turn, beside));
    for (const name of turn.next()) {
      if (board.places.has(name) && beside[name]) made.push(button(capital(t(beside[name])), () => point(name)));
    }
    const few = turn.choices.length <= 3 && !turn.path.length;
    for (const choice of turn.choices) {
      if (!choice.paths.length || (few && turn.stages.length > 1)) made.push(button(labelled(choice.label), () => choose(choice.action)));
    }
  }
  if (turn.begun) made.push(button(t("Back"), back));
  return made;
}

// The pieces to choose from that the board does not show, and which one is chosen; none where there is only one kind.
function tray(turn, beside) {
  const first = [...turn.next([])];
  const order = Object.keys(beside);
  const kinds = first.filter((name) => !board.places.has(name)).sort((one, other) => order.indexOf(one) - order.indexOf(other));
  if (kinds.length && first.length > kinds.length) kinds.unshift("");
  const chosen = kinds.includes(turn.path[0]) ? turn.path[0] : "";
  const choosePlain = () => {
    turn.path = [];
    showTurn();
  };
  return kinds.map((name) => button(capital(t(beside[name] ?? name)), () => (name ? point(name) : choosePlain()), { "aria-pressed": String(name === chosen) }));
}

onTurnShown(showChoices);
