// A game as it was played, read from its replay part by part and told in sentences.

import { Teller } from "./words.js";

const PART = 40; // frames that are asked for at once

export class Story {
  /**
   * `frames(from, to)` fetches frames; `last` is the game's version. `restarts` are the members of a view that tell
   * when a turn begins.
   */
  constructor({ ruleset, language, names, last, frames }) {
    this.teller = new Teller(ruleset, language, names);
    this.restarts = ruleset.clock_restarts.filter((member) => member !== "phase");
    this.frames = frames;
    this.last = last;
    /** What each entry tells: `{version, headline, sentences, seat, at, turn}`, by version. */
    this.entries = new Map();
    /** The first version that has a board. */
    this.first = null;
    this.before = null;
  }

  /** Read the story to its end; `hear(entries)` gets each part of it. */
  async read(hear, signal) {
    for (let from = 1; from <= this.last && !signal.aborted; from += PART) {
      const { items } = await this.frames(from, Math.min(this.last, from + PART - 1));
      if (!signal.aborted) hear(items.map((frame) => this.#tell(frame)));
    }
  }

  /** Tell a frame that has just come. */
  add(frame) {
    this.last = Math.max(this.last, frame.version);
    if (!this.entries.has(frame.version)) this.#tell(frame);
  }

  #tell({ version, event, view }) {
    const before = this.before;
    const entry = {
      version,
      seat: event.actor.seat ?? null,
      headline: this.teller.headline(event),
      sentences: this.teller.event(event, view, before),
      at: event.at,
      turn: this.#beginsTurn(view, before),
    };
    if (view && this.first === null) this.first = version;
    this.before = view;
    this.entries.set(version, entry);
    return entry;
  }

  /** The turn or round that begins with a view: `[member, number]`, or null. */
  #beginsTurn(view, before) {
    if (!view) return null;
    const member = this.restarts.find((each) => typeof view[each] === "number" && view[each] !== before?.[each]);
    return member === undefined ? null : [member, view[member]];
  }

  /** The versions at which turns begin, in order. */
  get turns() {
    return [...this.entries.values()].filter(({ turn }) => turn).map(({ version }) => version);
  }
}
