// How long somebody has been thinking, once it is long enough to wonder.

import { duration } from "./players.js";

const SOON = 3000;

export class Elapsed {
  constructor(root) {
    this.root = root;
    this.since = null;
    this.timer = setInterval(() => this.#tick(), 1000);
  }

  close() {
    clearInterval(this.timer);
  }

  /** Somebody thinks since this moment; null if nobody does. */
  show(since) {
    this.since = since;
    this.#tick();
  }

  #tick() {
    const passed = this.since === null ? 0 : Date.now() - this.since;
    this.root.textContent = passed > SOON ? duration(passed) : "";
  }
}
