// What the page shows, shared by all its parts, and the settings.

const DEFAULTS = { language: "", theme: "", board: "", names: true, numbers: false, flip: false, sound: false, lines: 3, threads: 1, seconds: 60, nodes: 20000 };
export const settings = { ...DEFAULTS, ...JSON.parse(localStorage.getItem("tengen") ?? "{}") };

export const state = {
  hello: null, // what the server has told about itself
  game: null, // the game shown
  position: null, // the position shown
  turn: null, // the turn that is being put together
  analysing: false,
  analysis: null, // the last report about the position shown
  rates: new Map(), // win rates of the first side by node, as analysed
  hint: null,
  review: null,
  puzzle: null, // the mistake that is being corrected
  lesson: null, // the one that is shown, or a puzzle of the collection
  message: "", // said beside the status
};

// Whether turns are tried out, not played.
export function isFree() {
  return state.analysing || !state.position.live || state.game.over;
}

// Whether the person at this page may choose now.
export function mayChoose() {
  const { analysing, game, lesson, puzzle } = state;
  if (lesson) return !lesson.solved;
  if (puzzle) return !puzzle.verdict;
  if (isFree()) return analysing && !game.agreeing;
  if (game.question.length || game.agreeing) return false;
  return game.seats[game.seat].kind === "person" || game.awaitsResult;
}
