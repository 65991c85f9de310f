// The score sheet of a game that is over, line by line: the lines that its view has, or what each round gave.

const isNumber = (value) => typeof value === "number";
const PART = 60; // entries that are asked for at once
const MOST = 1200; // of longer games only the totals are shown

/** Lines that a view has for every player: `[{name, points}]`, or null if it has none that end in the scores. */
function linesOf({ view, outcome }) {
  const sheets = view.players.map(({ score }) => score);
  if (sheets.some((sheet) => sheet === null || typeof sheet !== "object")) return null;
  const names = Object.keys(sheets[0]).filter((name) => sheets.every((sheet) => isNumber(sheet[name])));
  const lines = names.map((name) => ({ name, points: sheets.map((sheet) => sheet[name]) }));
  return lines.filter(({ points }) => points.some((each, seat) => each && each !== outcome.scores[seat]));
}

/** The member of players that counted their points all along: the one that says the scores in the end. */
const counting = ({ view, outcome }) =>
  Object.keys(view.players[0]).find(
    (name) =>
      view.players.every((player, seat) => player[name] === outcome.scores[seat]) &&
      view.players.every((player) => isNumber(player[name])),
  );

/** What each round or turn gave: `[{name, number, points}]`. */
async function linesByRound(game, restarts, frames) {
  const member = counting(game);
  const round = restarts.find((each) => isNumber(game.view[each]));
  if (!member || !round || game.version > MOST) return [];
  const lines = new Map();
  let before = null;
  for (let from = 1; from <= game.version; from += PART) {
    const { items } = await frames(from, Math.min(game.version, from + PART - 1));
    for (const { view } of items) {
      if (!view) continue;
      const number = (before ?? view)[round];
      const gained = view.players.map((player, seat) => player[member] - (before?.players[seat][member] ?? 0));
      const line = lines.get(number) ?? gained.map(() => 0);
      lines.set(number, line.map((points, seat) => points + gained[seat]));
      before = view;
    }
  }
  return [...lines].filter(([, points]) => points.some(Boolean)).map(([number, points]) => ({ name: round, number, points }));
}

/** The lines of a game's score sheet; `frames(from, to)` fetches what happened. */
export const scoreSheet = async (game, restarts, frames) => linesOf(game) ?? (await linesByRound(game, restarts, frames));
