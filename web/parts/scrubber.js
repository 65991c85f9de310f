// A rail on which a moment of a game is chosen, with marks where turns begin.

import { fill, make } from "../elements.js";

export class Scrubber {
  /** `root` is the rail, `text` says where on it one is. */
  constructor({ texts, go }) {
    this.rail = make("input", {
      type: "range",
      id: "scrubber",
      step: 1,
      "aria-label": texts.say("scrubber"),
      oninput: () => go(Number(this.rail.value)),
    });
    this.marks = make("div.marks", { "aria-hidden": "true" });
    this.text = make("p.small.now", { id: "scrubber-text" });
    this.root = make("div.scrubber", {}, this.marks, this.rail);
  }

  /** The moments that can be chosen, and which of them are marked: `[{version, label}]`. */
  span(first, last, marks) {
    Object.assign(this.rail, { min: String(first), max: String(last) });
    const share = (version) => (last > first ? (version - first) / (last - first) : 0);
    fill(
      this.marks,
      marks.map(({ version, label }) => make("span.mark-of-turn", { title: label, style: { "--share": String(share(version)) } })),
    );
  }

  /** Put something in line with the rail, under it. */
  under(element) {
    this.root.append(element);
  }

  show(version, text) {
    this.rail.value = String(version);
    this.rail.setAttribute("aria-valuetext", text);
    this.text.textContent = text;
  }
}
