// "Play on from here": a new game that begins where an old one stood.

import { button, fill, make, seatMark } from "../elements.js";
import { sitDown } from "../seals.js";
import { ownName } from "./name_field.js";

const USUAL_BOT = "greedy";
/** Piles are shuffled: whoever has looked into the old game must not know what comes. */
const REDEAL = "piles";

export class PlayOn {
  constructor({ app, game, ruleset, viewer, version }) {
    Object.assign(this, { app, game, ruleset, viewer, version, texts: app.texts });
    this.dialog = make("dialog.panel.play-on", { "aria-labelledby": "play-on-title" });
  }

  ask() {
    const { texts, game } = this;
    this.refusal = make("p.refusal", { role: "alert", hidden: true });
    this.name = ownName("play-on-name");
    const seat = ({ seat: number, name }) =>
      make(
        "label.tick",
        {},
        make("input", { type: "radio", name: "seat", value: number, checked: number === 0 }),
        seatMark(number),
        texts.say("in_place_of", { who: name ?? texts.say("eyes_seat_number", { n: number }) }),
      );
    const other = (value, key, checked) => make("label.tick", {}, make("input", { type: "radio", name: "others", value, checked }), texts.say(key));
    this.form = make(
      "form",
      { onsubmit: (event) => this.#begin(event) },
      make("h2", { id: "play-on-title" }, texts.say("play_on")),
      make("p", {}, texts.say("play_on_about", { n: this.version() })),
      make("label.field", {}, texts.say("your_name"), this.name),
      make("fieldset", {}, make("legend", {}, texts.say("your_seat")), game.seats.map(seat)),
      make("fieldset", {}, make("legend", {}, texts.say("other_seats")), other("bots", "others_bots", true), other("open", "others_open", false)),
      this.refusal,
      make("div.row", {}, make("button.primary", { type: "submit", id: "play-on-begin" }, texts.say("begin")), button(texts.say("close"), () => this.dialog.close())),
    );
    fill(this.dialog, this.form);
    this.dialog.showModal();
  }

  async #begin(event) {
    event.preventDefault();
    const chosen = new FormData(this.form);
    const seat = Number(chosen.get("seat"));
    const name = this.name.value.trim();
    this.app.seats.setWish("name", name);
    this.refusal.hidden = true;
    try {
      const id = chosen.get("others") === "bots" ? await this.#withBots(seat, name) : await this.#withOthers(seat, name);
      this.dialog.close();
      this.app.go(`#/games/${id}`);
    } catch (failure) {
      this.refusal.textContent = failure.message;
      this.refusal.hidden = false;
    }
  }

  async #withBots(seat, name) {
    const bot = this.ruleset.bots.includes(USUAL_BOT) ? USUAL_BOT : this.ruleset.bots[0];
    const players = this.game.seats.map((_, each) => (each === seat ? { name } : { bot }));
    const begun = await this.app.api.fork(this.game.id, { version: this.version(), players, redeal: REDEAL }, this.viewer());
    this.app.seats.keep(begun.id, seat, { token: begun.seats[seat].token, name });
    this.#note(begun);
    return begun.id;
  }

  async #withOthers(seat, name) {
    const { api } = this.app;
    const begun = await api.fork(this.game.id, { version: this.version(), redeal: REDEAL }, this.viewer());
    this.#note(begun);
    await sitDown(api, begun.id, { name, seat, code: begun.join_code ?? null, ruleset: begun.ruleset });
    return begun.id;
  }

  #note({ id, ruleset, join_code: code }) {
    this.app.seats.note(id, { ruleset, ...(code ? { code } : {}) });
  }
}
