// A rematch: asked for, waited for, and joined with a share of chance and a key of this browser's own.

import { newSeal } from "../api.js";
import { button, fill, make } from "../elements.js";
import * as seats from "../seat_storage.js";
import { newSigningKey } from "../signing.js";

const WAIT = 20; // seconds that the server holds the question whether somebody has asked

export class Rematch {
  constructor({ app, game, seat, token, names }) {
    Object.assign(this, { app, game, seat, token, names, texts: app.texts });
    this.root = make("div.rematch");
    this.ending = new AbortController();
    this.#draw([]);
    this.#listen();
  }

  close() {
    this.ending.abort();
  }

  #draw(asked) {
    const others = asked.filter((seat) => seat !== this.seat);
    fill(
      this.root,
      others.length > 0 && make("p", { role: "status" }, this.texts.say("rematch_wanted", { who: others.map(this.names).join(", ") })),
      button(this.texts.say("rematch"), () => this.#ask(), { kind: "primary", id: "rematch" }),
    );
  }

  /** Hear of others who ask. */
  async #listen() {
    let known = 0;
    while (!this.ending.signal.aborted) {
      try {
        const { asked } = await this.app.api.rematch(this.game.id, { token: this.token, wait: known ? WAIT : 0, signal: this.ending.signal });
        if (asked.length !== known) this.#draw(asked);
        if (asked.length === this.game.seats.filter(({ bot }) => !bot).length) return;
        if (known === asked.length) await new Promise((resolve) => setTimeout(resolve, 2000));
        known = asked.length;
      } catch (problem) {
        if (this.ending.signal.aborted || problem.status) return;
      }
    }
  }

  async #ask() {
    const { app, game } = this;
    this.close();
    const { entropy, commitment } = await newSeal();
    const keys = await newSigningKey();
    const wanted = { entropy_commitment: commitment, ...(keys ? { public_key: keys.publicKey } : {}) };
    const joined = await app.api.askRematch(game.id, wanted, { token: this.token });
    seats.keep(joined.game.id, joined.seat, { token: joined.token, name: game.seats[this.seat].name, entropy, signingKey: keys?.signingKey });
    seats.note(joined.game.id, { ruleset: game.ruleset, ...(joined.game.join_code ? { code: joined.game.join_code } : {}) });
    app.go(`#/games/${joined.game.id}`);
  }
}
