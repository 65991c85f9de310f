// Moving through a game under its board: a rail, steps by entries and turns, and playing by itself.

import { button, fill, make } from "../elements.js";
import { Scrubber } from "../parts/scrubber.js";

const PACE = 1500; // milliseconds between two entries

export class Rail {
  /** `show(version)` draws the board as it stood after an entry; `keys` is where keys are heard. */
  constructor(root, { texts, story, show, keys }) {
    Object.assign(this, { texts, story, show, keys });
    this.reading = new AbortController();
    this.timer = null;
    this.at = null;
    this.scrubber = new Scrubber({ texts, go: (version) => this.#leap(version) });
    this.playing = button(texts.say("play_it"), () => this.toggle(), { kind: "primary", part: "play" });
    const step = (sign, key, to) =>
      button(sign, () => this.#leap(to()), { "aria-label": texts.say(key), title: texts.say(key), part: "step" });
    fill(
      root,
      this.scrubber.root,
      this.scrubber.text,
      make(
        "div.row",
        {},
        step("«", "turn_before", () => this.#turn(-1)),
        step("‹", "entry_before", () => this.at - 1),
        this.playing,
        step("›", "entry_after", () => this.at + 1),
        step("»", "turn_after", () => this.#turn(1)),
      ),
    );
    this.onKey = (event) => this.#key(event);
    keys.addEventListener("keydown", this.onKey);
  }

  close() {
    this.pause();
    this.reading.abort();
    this.keys.removeEventListener("keydown", this.onKey);
  }

  /** Read the story, and begin at a version: the latest, if none is given. */
  async open(at) {
    await this.story.read(() => {}, this.reading.signal);
    if (this.reading.signal.aborted || this.story.first === null) return;
    this.#span();
    await this.go(at ?? this.story.last);
  }

  get isAtTheEnd() {
    return this.at === null || this.at >= this.story.last;
  }

  /** Something has happened: who looks at the present goes on looking at it. */
  add(frame) {
    const { isAtTheEnd } = this;
    this.story.add(frame);
    if (this.story.first === null) return;
    this.#span();
    this.#mark(isAtTheEnd ? this.story.last : this.at);
  }

  #span() {
    const { entries, first, last } = this.story;
    const name = ([member, number]) => `${this.story.teller.sentences.name(member)} ${number}`;
    const turns = [...entries.values()].filter(({ turn }) => turn);
    this.scrubber.span(first, last, turns.map(({ version, turn }) => ({ version, label: name(turn) })));
  }

  #mark(version) {
    this.at = version;
    const entry = this.story.entries.get(version);
    const what = entry ? entry.sentences.join(" ") || entry.headline : "";
    this.scrubber.show(version, this.texts.say("entry_told", { n: version, last: this.story.last, what }));
  }

  #leap(version) {
    this.pause();
    return this.go(version);
  }

  /** Show the game as it stood after an entry, or as near as there is a board. */
  async go(version) {
    if (this.story.first === null) return;
    this.#mark(Math.max(this.story.first, Math.min(version, this.story.last)));
    await this.show(this.at);
  }

  #turn(by) {
    const { turns, first, last } = this.story;
    if (by < 0) return turns.filter((version) => version < this.at).at(-1) ?? first;
    return turns.find((version) => version > this.at) ?? last;
  }

  toggle() {
    if (this.timer) return this.pause();
    const tick = async () => {
      if (this.isAtTheEnd) return this.pause();
      await this.go(this.at + 1);
      if (this.timer) this.timer = setTimeout(tick, PACE);
    };
    if (this.isAtTheEnd) this.go(this.story.first);
    this.timer = setTimeout(tick, PACE / 2);
    this.playing.textContent = this.texts.say("pause");
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.playing.textContent = this.texts.say("play_it");
  }

  /** Arrows step, space plays; a key with another one belongs to the browser, and one on the rail to the rail. */
  #key(event) {
    const isText = event.target.closest?.("input:not([type=range]), select, textarea");
    if (isText || event.ctrlKey || event.metaKey || event.altKey || this.story.first === null) return;
    const steps = {
      ArrowLeft: () => (event.shiftKey ? this.#turn(-1) : this.at - 1),
      ArrowRight: () => (event.shiftKey ? this.#turn(1) : this.at + 1),
      Home: () => this.story.first,
      End: () => this.story.last,
    };
    if (event.key === " " && !event.target.closest?.("button")) this.toggle();
    else if (event.key in steps) this.#leap(steps[event.key]());
    else return;
    event.preventDefault();
  }
}
