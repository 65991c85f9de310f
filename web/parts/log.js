// What has happened, told in sentences, latest last.

import { button, fill, make, seatMark } from "../elements.js";

const AT_ONCE = 30;

export class Log {
  /** `frames(from, to)` fetches what happened earlier. */
  constructor(root, { teller, texts, frames }) {
    Object.assign(this, { root, teller, texts, frames });
    this.first = null;
    this.latest = null;
    this.list = make("ol.log", { tabindex: 0, "aria-label": texts.say("log") });
    this.earlier = button(texts.say("earlier"), () => this.more(), { kind: "plain", hidden: true, id: "earlier" });
    fill(root, make("h2", {}, texts.say("log")), this.earlier, this.list);
    this.#stayAtTheEnd();
  }

  /** Begin with the latest entries up to a version. */
  async begin(version) {
    fill(this.list);
    this.first = version + 1;
    await this.more();
    this.#toTheEnd();
  }

  /** Tell what happened before. */
  async more() {
    const to = this.first - 1;
    const from = Math.max(1, to - AT_ONCE + 1);
    if (to < 1) return;
    const { items } = await this.frames(Math.max(1, from - 1), to);
    const entries = [];
    let before = null;
    for (const frame of items) {
      const sentences = this.#sentences(frame, before);
      if (frame.version >= from) entries.push(this.#entry(frame, before, sentences));
      if (this.latest === null) this.#note(frame, sentences);
      before = frame;
    }
    if (this.latest === null || before?.version > this.latest.version) this.latest = before;
    this.first = from;
    this.list.prepend(...entries.filter(Boolean));
    this.earlier.hidden = from <= 1;
  }

  /** Tell a frame that has just come; returns its sentences. */
  add(frame) {
    if (this.latest && frame.version <= this.latest.version) return [];
    const sentences = this.#sentences(frame, this.latest);
    const entry = this.#entry(frame, this.latest, sentences);
    this.#note(frame, sentences);
    this.latest = frame;
    if (entry) {
      this.list.append(entry);
      this.#toTheEnd();
    }
    return sentences;
  }

  /** Keep how the game ended, in a sentence: the last one that was told before it was settled. */
  #note(frame, sentences) {
    if (frame.event.type !== "game_settled" && sentences.length) this.outcome = sentences.at(-1);
  }

  /** The entries since this seat last did something: `[{version, seat, text}]`; if there are none, the latest one. */
  since(seat) {
    const entries = [...this.list.children];
    const own = entries.findLastIndex((entry) => entry.dataset.seat === String(seat));
    const after = own < 0 ? [] : entries.slice(own + 1);
    return (after.length ? after : entries.slice(-1)).map(({ dataset, textContent }) => ({
      version: Number(dataset.version),
      seat: dataset.seat === "" ? null : Number(dataset.seat),
      text: textContent,
    }));
  }

  #sentences(frame, before) {
    const isNext = before && before.version === frame.version - 1;
    return this.teller.event(frame.event, frame.view, isNext ? before.view : null);
  }

  #entry(frame, before, sentences = this.#sentences(frame, before)) {
    if (!sentences.length) return null;
    const { actor, type, data } = frame.event;
    const seat = (type === "seat_taken" ? data.seat : actor.seat) ?? null;
    return make(
      "li",
      { data: { version: frame.version, seat: actor.seat ?? "" } },
      seat !== null ? seatMark(seat) : make("span.mark", { "aria-hidden": "true" }),
      make("p", {}, sentences.join(" ")),
    );
  }

  /** What is around the list may grow and take room from it: who reads the latest entry goes on reading it. */
  #stayAtTheEnd() {
    const { list } = this;
    let isAtEnd = true;
    let height = 0;
    list.addEventListener("scroll", () => {
      if (list.clientHeight !== height) return; // it has another size since, and will be told so
      isAtEnd = list.scrollHeight - list.scrollTop - height < 8;
    });
    new ResizeObserver(() => {
      height = list.clientHeight;
      if (isAtEnd) this.#toTheEnd();
    }).observe(list);
  }

  #toTheEnd() {
    this.list.scrollTop = this.list.scrollHeight;
  }

  clear() {
    fill(this.list);
    this.first = this.latest = null;
    this.earlier.hidden = true;
  }
}
