// Says what a part of the board is: on hover, on a long press, and by the arrow keys while the board has the focus.

import { announce, button, fill, make } from "../elements.js";
import "../learn_texts.js";

const HOVER = 450; // milliseconds that a pointer rests before it is answered
const PRESS = 500; // milliseconds of a long press
const SLIP = 12; // pixels that a finger may slip during one

export class Explainer {
  /** `about(key, part)` gives `{name, cost, effect, now}`, `keyOf(part)` its key or null, `more(key)` opens the rules. */
  constructor(pane, { texts, keyOf, about, more }) {
    Object.assign(this, { pane, texts, keyOf, about, more });
    this.card = make("div.explain", { role: "tooltip", hidden: true });
    document.body.append(this.card);
    this.part = null;
    this.ends = [
      this.#on(pane, "pointermove", (event) => this.#moved(event)),
      this.#on(pane, "pointerleave", () => this.#rest(null)),
      this.#on(pane, "pointerdown", (event) => this.#pressed(event)),
      this.#on(pane, "pointerup", () => clearTimeout(this.press)),
      this.#on(pane, "pointercancel", () => clearTimeout(this.press)),
      this.#on(pane, "contextmenu", (event) => this.pinned && event.preventDefault()),
      this.#on(pane, "click", (event) => this.#clicked(event), true),
      this.#on(pane, "keydown", (event) => this.#key(event)),
      this.#on(pane, "blur", () => this.hide()),
      this.#on(document, "pointerdown", (event) => this.pinned && !this.card.contains(event.target) && this.hide()),
      this.#on(document, "keydown", (event) => event.key === "Escape" && this.hide()),
    ];
  }

  #on(target, kind, listener, capture = false) {
    target.addEventListener(kind, listener, capture);
    return () => target.removeEventListener(kind, listener, capture);
  }

  close() {
    clearTimeout(this.press);
    clearTimeout(this.wait);
    for (const end of this.ends) end();
    this.card.remove();
  }

  /** The innermost part at an element that something explains. */
  #partAt(element) {
    for (let at = element; at && at !== this.pane; at = at.parentElement)
      if (at.dataset && this.keyOf(at)) return at;
    return null;
  }

  #moved(event) {
    if (event.pointerType !== "mouse") {
      if (this.from && Math.hypot(event.clientX - this.from.x, event.clientY - this.from.y) > SLIP) clearTimeout(this.press);
      return;
    }
    if (!event.buttons) this.#rest(this.#partAt(event.target));
  }

  /** The pointer is on this part, or on none. */
  #rest(part) {
    if (part === this.part || this.pinned) return;
    clearTimeout(this.wait);
    this.hide();
    this.part = part;
    if (part) this.wait = setTimeout(() => this.show(part), HOVER);
  }

  #pressed(event) {
    if (event.pointerType === "mouse") return;
    this.from = { x: event.clientX, y: event.clientY };
    clearTimeout(this.press);
    const part = this.#partAt(event.target);
    if (part) this.press = setTimeout(() => this.show(part, { pinned: true }), PRESS);
  }

  /** The click at the end of a long press chooses nothing. */
  #clicked(event) {
    if (this.pinned && this.swallow) {
      event.stopPropagation();
      event.preventDefault();
    } else this.hide();
    this.swallow = false;
  }

  #key(event) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by || event.target !== this.pane) return;
    const parts = [...this.pane.querySelectorAll("*")].filter((each) => this.keyOf(each));
    if (!parts.length) return;
    event.preventDefault();
    const at = parts.indexOf(this.part);
    const next = parts[at < 0 ? (by > 0 ? 0 : parts.length - 1) : (at + by + parts.length) % parts.length];
    this.show(next);
    announce(this.card.textContent);
  }

  /** Explain a part; pinned, it stays until somebody closes it, and leads on to the rules. */
  show(part, { pinned = false } = {}) {
    if (!part.isConnected) return;
    const key = this.keyOf(part);
    this.tell(this.about(key, part), part, pinned && (() => this.more(key)));
    this.part = part;
    this.pinned = this.swallow = pinned;
  }

  /** Show an explanation beside an element. */
  tell({ name, cost = "", effect, now = "" }, beside, more = null) {
    fill(
      this.card,
      make("strong", {}, name),
      cost && make("p.cost", {}, `${this.texts.say("guide_costs")} ${cost}`),
      make("p", {}, effect),
      now && make("p.now", {}, now),
      more && button(this.texts.say("guide_more"), () => (this.hide(), more()), { kind: "plain" }),
    );
    this.card.hidden = false;
    this.card.classList.toggle("pinned", Boolean(more));
    this.#place(beside.getBoundingClientRect(), this.pane.contains(beside));
  }

  /** Beside the part, never over it, and never beyond the window. */
  #place(part, isOnBoard) {
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const fits = (left, top) => left >= 6 && left + width <= innerWidth - 6 && top >= 6 && top + height <= innerHeight - 6;
    const middle = Math.min(Math.max(6, part.left + part.width / 2 - width / 2), innerWidth - width - 6);
    const level = Math.min(Math.max(6, part.top), innerHeight - height - 6);
    const aside = [
      [part.left - width - 8, level],
      [part.right + 8, level],
    ];
    const over = [
      [middle, part.top - height - 8],
      [middle, part.bottom + 8],
    ];
    const places = isOnBoard ? [...over, ...aside] : [...aside, ...over];
    const [left, top] = places.find((each) => fits(...each)) ?? [middle, 6];
    this.card.style.setProperty("left", `${left}px`);
    this.card.style.setProperty("top", `${top}px`);
  }

  hide() {
    clearTimeout(this.wait);
    this.card.hidden = true;
    this.part = null;
    this.pinned = false;
  }

  /** Let an element outside the board be explained on hover and focus. */
  attach(element, about) {
    element.addEventListener("mouseenter", () => {
      this.wait = setTimeout(() => this.tell(about(), element), HOVER);
    });
    element.addEventListener("focus", () => element.matches(":focus-visible") && this.tell(about(), element));
    for (const kind of ["mouseleave", "blur", "click"]) element.addEventListener(kind, () => this.hide());
  }
}
