// The curve of a review: how likely each seat was to win, entry by entry, in line with the scrubber above it.
//
// Two seats share one band; more have a line each, with their marks on it. It is a slider like the scrubber, and its
// turning points are buttons.

import { draw, fill, make, seatMark } from "../elements.js";

const WHOLE = 1000;
const MARKS_ON_A_LINE = 5;

export class Curve {
  /** `points` are `[{version, chances}]`, `turning` `[{version, seat, label}]`; `told(version)` says one in words. */
  constructor({ points, turning, first, last, label, told, go }) {
    Object.assign(this, { points, first, last, told, go });
    this.seats = points[0].chances.length;
    this.surface = this.#surface(label);
    this.now = make("span.now-line", { "aria-hidden": "true" });
    this.nowMarks = points[0].chances.map((_, seat) => this.#pinned("span.now-mark", { "aria-hidden": "true" }, seat));
    this.turning = turning.map((each) => this.#turningMark(each));
    this.root = make(
      `div.curve${this.#isBand ? ".band" : ""}`,
      {},
      this.#drawing(),
      this.#isBand ? this.#bandMarks() : this.#lineMarks(),
      this.now,
      this.#isBand ? null : this.nowMarks,
      this.surface,
      this.turning,
    );
  }

  get #isBand() {
    return this.seats === 2;
  }

  /** The chances as they stood at a version. */
  at(version) {
    return (this.points.findLast((point) => point.version <= version) ?? this.points[0]).chances;
  }

  show(version) {
    this.version = version;
    this.#place(this.now, version);
    this.nowMarks.forEach((mark, seat) => this.#place(mark, version, seat));
    for (const mark of this.turning) mark.toggleAttribute("data-present", Number(mark.dataset.version) === version);
    this.surface.setAttribute("aria-valuenow", String(version));
    this.surface.setAttribute("aria-valuetext", this.told(version));
  }

  // -- where things lie -------------------------------------------------------------------------------------------------

  #share(version) {
    return this.last > this.first ? (version - this.first) / (this.last - this.first) : 0;
  }

  /** How far from the top a seat's chance lies; in a band, that of the first seat is where it is parted. */
  #height(chances, seat) {
    return WHOLE - chances[this.#isBand ? 0 : seat];
  }

  #place(element, version, seat = 0) {
    element.style.setProperty("--share", String(this.#share(version)));
    element.style.setProperty("--height", String(this.#height(this.at(version), seat) / WHOLE));
  }

  #pinned(kind, attributes, seat, version = this.first) {
    const element = make(kind, attributes, seatMark(seat));
    this.#place(element, version, seat);
    return element;
  }

  // -- what is drawn ----------------------------------------------------------------------------------------------------

  #drawing() {
    const width = Math.max(1, this.last - this.first);
    const middle = draw("path", { d: `M0 ${WHOLE / 2}H${width}`, class: "middle" });
    const parts = this.#isBand ? this.#band(width) : this.points[0].chances.map((_, seat) => draw("path", { d: this.#line(seat), class: `line of-seat-${seat}` }));
    return draw("svg", { viewBox: `0 0 ${width} ${WHOLE}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...parts, middle);
  }

  #line(seat) {
    const corners = this.points.map(({ version, chances }) => `${Math.max(0, version - this.first)} ${this.#height(chances, seat)}`);
    return `M${corners.join("L")}H${Math.max(1, this.last - this.first)}`;
  }

  #band(width) {
    const parting = this.#line(0);
    return [
      draw("path", { d: `${parting}V0H0z`, class: "area of-seat-1" }),
      draw("path", { d: `${parting}V${WHOLE}H0z`, class: "area of-seat-0" }),
      draw("path", { d: parting, class: "parting" }),
    ];
  }

  #bandMarks() {
    return [0, 1].map((seat) => make(`span.band-mark.of-seat-${seat}`, { "aria-hidden": "true" }, seatMark(seat)));
  }

  /** Lines are told apart by more than their colours. */
  #lineMarks() {
    const spread = (seat, number) => this.first + Math.round(((number + (seat + 1) / (this.seats + 1)) / MARKS_ON_A_LINE) * (this.last - this.first));
    return this.points[0].chances.map((_, seat) =>
      Array.from({ length: MARKS_ON_A_LINE }, (_, number) => this.#pinned("span.line-mark", { "aria-hidden": "true" }, seat, spread(seat, number))),
    );
  }

  #turningMark({ version, seat, label }) {
    return this.#pinned("button.plain.turning-mark", { type: "button", "aria-label": label, title: label, data: { version }, onclick: () => this.go(version) }, seat, version);
  }

  // -- moving -----------------------------------------------------------------------------------------------------------

  #surface(label) {
    const surface = make("div.surface", { role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": this.first, "aria-valuemax": this.last });
    const lead = ({ clientX }) => {
      const { left, width } = surface.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (clientX - left) / width));
      const version = this.first + Math.round(share * (this.last - this.first));
      if (version !== this.version) this.go(version);
    };
    surface.addEventListener("pointerdown", (event) => {
      surface.setPointerCapture(event.pointerId);
      lead(event);
    });
    surface.addEventListener("pointermove", (event) => surface.hasPointerCapture(event.pointerId) && lead(event));
    surface.addEventListener("keydown", (event) => this.#key(event));
    return surface;
  }

  /** A slider goes up and down too; every other key is the replay's. */
  #key(event) {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.go(this.version + step);
  }
}
