// A game on the board of the element, as it stood after an entry: still, or to be moved through.

import { Board } from "../board.js";
import { Story } from "../story.js";
import { Rail } from "./rail.js";

export class PastBoard {
  /** As LiveBoard; `context.at` is the entry. */
  constructor(zones, context) {
    Object.assign(this, { zones, context });
    this.at = context.at;
    this.wanted = 0;
    this.isClosed = false;
  }

  close() {
    this.isClosed = true;
    this.rail?.close();
  }

  async open() {
    this.board = new Board(this.zones.board, this.zones.zoom, this.context.texts);
    await this.redraw();
    if (this.context.hasControls && !this.isClosed) await this.#control();
  }

  async #control() {
    const { api, id, viewer, as, lang, texts, keys } = this.context;
    const game = await api.game(id, viewer, { include: null });
    const ruleset = await api.ruleset(game.ruleset);
    const names = game.seats.map((each) => texts.sitter(each));
    const frames = (from, to) => api.replay(id, viewer, { from, to, limit: to - from + 1, as });
    const story = new Story({ ruleset, language: lang, names, last: game.version, frames });
    const show = (at) => ((this.at = at), this.redraw());
    if (this.isClosed) return;
    this.rail = new Rail(this.zones.controls, { texts, story, show, keys });
    await this.rail.open(this.at);
  }

  async redraw() {
    const { api, id, viewer, as, lang, theme } = this.context;
    const wanted = ++this.wanted;
    const picture = await api.board(id, viewer, { version: this.at, as, lang, theme, shape: this.context.shape() });
    if (this.isClosed || wanted !== this.wanted) return;
    this.board.show(picture);
    this.zones.frame.dataset.version = String(this.at);
    this.zones.moment.textContent = this.board.moment;
  }
}
