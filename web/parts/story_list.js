// The story of a replay: a list of entries in sentences, of which one is the present.

import { fill, make, seatMark } from "../elements.js";

export class StoryList {
  /** `go(version)` leads to an entry; `turnName(turn)` is what a turn is called. */
  constructor({ texts, go, turnName }) {
    Object.assign(this, { go, turnName });
    this.root = make("ol.log", { tabindex: 0, "aria-label": texts.say("told") });
  }

  clear() {
    fill(this.root);
  }

  add(entries) {
    this.root.append(...entries.map((entry) => this.#item(entry)));
  }

  #item({ version, seat, headline, sentences, turn }) {
    return make(
      "li",
      { data: { version } },
      turn && make("p.turn-name", {}, this.turnName(turn)),
      make(
        "button.plain.entry",
        { type: "button", onclick: () => this.go(version) },
        seat === null ? make("span.mark") : seatMark(seat),
        make("span", {}, sentences.length ? sentences.join(" ") : headline),
      ),
    );
  }

  /** Mark the present entry, and keep it in sight without moving the page. */
  mark(version) {
    const { root } = this;
    root.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = root.querySelector(`[data-version="${version}"]`);
    item?.setAttribute("aria-current", "true");
    if (!item) return;
    root.scrollTop = item.offsetTop - (root.clientHeight - item.offsetHeight) / 2;
  }
}
