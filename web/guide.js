// The player's guide of a game (docs/guides.md): what a thing is, what a move will do, where a refusal is explained.

import { Sentences } from "./words.js";

const value = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export class Guide {
  /** `data` is what the API serves; `sentences` fills its templates with the words of the game and its players. */
  constructor(data, ruleset, language, players) {
    this.data = data;
    this.seats = Math.max(players.length, 1);
    this.sentences = new Sentences(ruleset, language, players);
  }

  #members(seat, view) {
    return { seat, other: (seat + 1) % this.seats, view };
  }

  /** What a move of a seat will do, in one sentence; "" if the guide does not say. */
  confirm(action, seat, view) {
    const about = this.data.actions[action.type];
    return about ? this.sentences.sentence(about.confirm, { ...action, ...this.#members(seat, view) }) : "";
  }

  /** What a phase of the game is about; "" if the guide does not say. */
  phase(name) {
    return this.data.phases[name] ?? "";
  }

  /** The section that explains a refusal by its code, or null. */
  refusal(code) {
    return this.data.refusals[code] ?? null;
  }

  /** The key of the thing that a part of the board shows, by what it says of itself; null if nothing explains it. */
  keyOf(part) {
    const { things } = this.data;
    const { explain, ...named } = part.dataset;
    if (explain) return explain in things ? explain : null;
    return Object.values(named).find((each) => Object.hasOwn(things, each)) ?? null;
  }

  /** A thing as it is now: `{key, name, effect, cost, now}`. */
  thing(key, { view, viewer, part = null }) {
    const { name, effect, cost = "", now = null } = this.data.things[key];
    const attributes = part
      ? Object.fromEntries(Object.entries(part.dataset).map(([member, text]) => [member, value(text)]))
      : {};
    const owner = part?.closest("[data-seat]")?.dataset.seat;
    const seat = owner === undefined ? (viewer ?? 0) : Number(owner);
    const filled = now && view ? this.sentences.sentence(now, { ...attributes, ...this.#members(seat, view) }) : "";
    return { key, name, effect, cost, now: filled };
  }
}
