// The players at a table: who they are, who is to act, and how much time they have.

import { draw, fill, make, seatMark } from "../elements.js";

const pad = (number) => String(number).padStart(2, "0");

/** A duration as people read it: 1:05, 2:03:00, 3 d. */
export function duration(milliseconds, days = "d") {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const hours = Math.floor(seconds / 3600);
  if (hours >= 48) return `${Math.floor(hours / 24)} ${days}`;
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

export class Players {
  /** `offset` is how far the server's time is ahead of this machine's, in milliseconds. */
  constructor(root, { texts, isMine }) {
    Object.assign(this, { root, texts, isMine });
    this.offset = 0;
    this.clocks = [];
    this.timer = setInterval(() => this.#tick(), 250);
  }

  close() {
    clearInterval(this.timer);
  }

  /** Show the players of a game: its `seats`, `to_act`, `deadlines`, `left`, `outcome`. */
  show(game, viewer) {
    this.clocks = [];
    fill(
      this.root,
      game.seats.map((seat) => this.#player(game, seat, viewer)),
    );
    this.#tick();
  }

  #player(game, { seat, name, bot, withdrawn }, viewer) {
    const who = this.texts.sitter({ name, bot });
    const acts = game.to_act.includes(seat);
    const won = game.outcome?.winners.includes(seat);
    const clock = make("span.clock");
    const deadline = game.deadlines[seat];
    if (deadline) this.clocks.push({ clock, until: Date.parse(deadline), seat });
    else if (seat in game.left) clock.textContent = duration(game.left[seat], this.texts.say("days"));
    const notes = [
      seat === viewer && this.texts.say("you"),
      seat !== viewer && this.isMine(seat) && this.texts.say("here_too"),
      bot && who === name && this.texts.say("bot"),
      withdrawn && this.texts.say(`withdrawn_${withdrawn}`),
      won && this.texts.say("winner"),
    ].filter(Boolean);
    return make(
      `li${acts ? ".acts" : ""}${won ? ".won" : ""}`,
      { data: { seat } },
      seatMark(seat),
      make(
        "span.who",
        {},
        who ?? this.texts.say("free"),
        " ",
        make("span.quiet.small", {}, notes.join(" · ")),
      ),
      clock,
      acts &&
        draw(
          "svg",
          { viewBox: "0 0 24 24", class: "sun", role: "img", "aria-label": this.texts.say("to_act") },
          draw("circle", { cx: 12, cy: 12, r: 9.5 }),
          draw("circle", { cx: 12, cy: 12, r: 4 }),
        ),
    );
  }

  #tick() {
    const now = Date.now() + this.offset;
    for (const { clock, until } of this.clocks) {
      const left = until - now;
      clock.textContent = duration(left, this.texts.say("days"));
      clock.classList.toggle("short", left < 20_000);
    }
  }
}
