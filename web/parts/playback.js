// Shows what others did, one entry after another: the pieces move, and a caption tells it. A reader chooses the speed,
// skips what is shown, and has it shown again.

import { button, fill, make, seatMark } from "../elements.js";
import "../table_texts.js";

/** Milliseconds that an entry is looked at. */
export const SPEEDS = { slow: 2600, normal: 1300, fast: 500 };
const LONGEST = 4000; // what all entries that wait may take together, unless the reader asked to see them again

export class Playback {
  #next = 0;
  #wake = () => {};

  /** `speed()` is the reader's choice, `isStill()` whether nothing may move; `show(version)` draws a board, null the present one. */
  constructor(root, { texts, speed, isStill, show }) {
    Object.assign(this, { root, texts, speed, isStill, show });
    this.isSkipping = false;
  }

  /** Wait until the entry before has been looked at, when so many wait. */
  async turn(waiting) {
    if (this.isStill() || this.isSkipping) return;
    const pace = Math.min(this.#pace, LONGEST / Math.max(1, waiting));
    await this.#until(this.#next - this.#pace + pace);
    this.#next = Date.now() + this.#pace;
  }

  /** Tell an entry that the board shows now. */
  tell(seat, sentences) {
    const skip = button(this.texts.say("skip_shown"), () => this.skip(), { kind: "plain", id: "skip-shown" });
    fill(this.root, seat !== null && seatMark(seat), make("p", {}, sentences.join(" ")), !this.isStill() && skip);
    this.root.hidden = false;
  }

  skip() {
    this.isSkipping = true;
    this.#wake();
  }

  /** Everything has been shown. */
  rest() {
    this.isSkipping = false;
    this.root.hidden = true;
  }

  /** Show entries again: `[{version, seat, sentences}]`, each for as long as the reader chose. */
  async again(entries) {
    this.isSkipping = false;
    for (const { version, seat, sentences } of entries) {
      await this.show(version);
      this.tell(seat, sentences);
      await this.#until(Date.now() + this.#pace);
      if (this.isSkipping) break;
    }
    await this.show(null);
    this.rest();
  }

  get #pace() {
    return SPEEDS[this.speed()] ?? SPEEDS.normal;
  }

  /** Wait until a moment, or until the reader skips. */
  async #until(moment) {
    const milliseconds = moment - Date.now();
    if (milliseconds <= 0) return;
    await new Promise((resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, milliseconds);
    });
  }
}
