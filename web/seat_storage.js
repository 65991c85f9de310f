// Storage of seats in this browser: tokens by game and seat, and heads of games that were seen. Only a link
// that a player asks for, to come back or to go on elsewhere, holds any of it, and after the `#`, which is never sent.

const KEY = "stele.games";

const read = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
};

const write = (games) => localStorage.setItem(KEY, JSON.stringify(games));

const change = (game, alter) => {
  const games = read();
  games[game] ??= { seats: {}, since: new Date().toISOString() };
  alter(games[game]);
  write(games);
};

/** The games in which this browser has a part, newest first: `[[id, {ruleset, seats, code, since}]]`. */
export const games = () => Object.entries(read()).sort(([, one], [, other]) => (one.since < other.since ? 1 : -1));

/** What is held of a game: `{seats: {seat: {token, name, entropy?}}, code?, ruleset?}`, empty if nothing. */
export const of = (game) => read()[game] ?? { seats: {} };

/** The seats of a game that this browser may act for, in order. */
export const seatsIn = (game) =>
  Object.keys(of(game).seats)
    .map(Number)
    .sort((one, other) => one - other);

/** The token of a seat, or null. */
export const token = (game, seat) => of(game).seats[seat]?.token ?? null;

/** Keep a seat: `{token, name, entropy?}`. */
export const keep = (game, seat, held) =>
  change(game, (about) => (about.seats[seat] = { ...about.seats[seat], ...held }));

/** Keep something else of a game, such as its `ruleset` or the `code` of its invitation. */
export const note = (game, members) => change(game, (about) => Object.assign(about, members));

/** Forget a seat, or a whole game. */
export function forget(game, seat = null) {
  const held = read();
  if (seat === null) delete held[game];
  else if (held[game]) delete held[game].seats[seat];
  write(held);
}

/** Keep the signed head of a game that was seen while it was played: a witness for its audit. */
export const witness = (game, version, hash) =>
  change(game, (about) => {
    about.heads = { ...about.heads, [version]: hash };
    const versions = Object.keys(about.heads)
      .map(Number)
      .sort((one, other) => one - other);
    for (const old of versions.slice(0, Math.max(0, versions.length - 200))) delete about.heads[old];
  });

/** The heads that were seen: `{version: hash}`. */
export const witnesses = (game) => of(game).heads ?? {};

// -- how the reader likes the page ------------------------------------------------------------------------------------

/** A wish of the reader (`lang`, `theme`, `name` …), or what is usual. */
export const wish = (name, usual = null) => localStorage.getItem(`stele.${name}`) ?? usual;
export const setWish = (name, value) =>
  value === null ? localStorage.removeItem(`stele.${name}`) : localStorage.setItem(`stele.${name}`, value);
