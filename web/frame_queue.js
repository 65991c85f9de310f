// Frames that have come, shown one after another so that each move can be seen.

const PACE = 650; // milliseconds that a move is looked at before the next one, if several wait
const MOST_WAITING = 5; // with more of them, they are told, but not shown one by one
const still = matchMedia("(prefers-reduced-motion: reduce)");
const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class FrameQueue {
  #waiting = [];
  #showing = null;
  #isClosed = false;

  /** `show(frame, isDrawn)` shows one: is it drawn, or only told? `version` is what is shown already. */
  constructor(version, show) {
    this.version = version;
    this.show = show;
  }

  /** Is what is shown the latest that has come? */
  get isLatest() {
    return !this.#waiting.length;
  }

  /** Take a frame; fulfilled when all that have come are shown. */
  add(frame) {
    if (frame.version > Math.max(this.version, this.#waiting.at(-1)?.version ?? 0)) this.#waiting.push(frame);
    this.#showing ??= this.#showAll().finally(() => (this.#showing = null));
    return this.#showing;
  }

  async #showAll() {
    while (this.#waiting.length && !this.#isClosed) {
      const frame = this.#waiting.shift();
      this.version = frame.version;
      await this.show(frame, this.#waiting.length <= MOST_WAITING);
      if (this.#waiting.length && this.#waiting.length <= MOST_WAITING && !still.matches) await later(PACE);
    }
  }

  close() {
    this.#isClosed = true;
  }
}
