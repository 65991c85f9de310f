// A board: the picture that the API draws, put into the page. Pieces that have moved move; parts can be lit and clicked.

import { button, fill, make } from "./elements.js";

const FORBIDDEN = "script, style, foreignObject, iframe, image, a, animate, set";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE = { duration: 420, easing: "cubic-bezier(.3,.1,.2,1)" };

/** The picture as an element. Ours hold nothing that could act; should one ever, it is not shown. */
export function parse(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const acts = [...svg.querySelectorAll("*"), svg].some((each) =>
    [...each.attributes].some(({ name, value }) => name.startsWith("on") || (name.endsWith("href") && !value.startsWith("#"))),
  );
  if (svg.localName !== "svg" || svg.querySelector(FORBIDDEN) || acts) throw new Error("this picture cannot be shown");
  return document.adoptNode(svg);
}

const place = (element) => {
  const [, x = 0, y = 0] = /^translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
  return [Number(x), Number(y)];
};

/** What a part says of itself: `{names: {parameter: value}, actions: [type]|null}`. Values are JSON, or plain text. */
export function partOf(element) {
  const names = {};
  let actions = null;
  for (const { name, value } of element.attributes) {
    if (!name.startsWith("data-") || ["data-latest", "data-seat", "data-to-act", "data-theme"].includes(name)) continue;
    if (name === "data-actions") actions = value.split(" ");
    else if (!name.startsWith("data-page-")) names[name.slice("data-".length)] = value;
  }
  return { names, actions };
}

/** What a part is called: its own title. */
export const labelOf = (element) => [...element.children].find((child) => child.localName === "title")?.textContent ?? null;

export class Board {
  constructor(root, texts) {
    this.root = root;
    this.pane = make("div.pane", { tabindex: -1 });
    const zoom = (by) => () => this.zoom(this.scale * by);
    const buttons = [["−", 1 / 1.3, "smaller"], ["+", 1.3, "larger"]].map(([sign, by, name]) => button(sign, zoom(by), { "aria-label": texts.say(name), id: name }));
    fill(root, this.pane, make("div.zoom", {}, buttons));
    this.svg = null;
    this.scale = 1;
  }

  /** Draw the board larger or smaller than the page would; it then scrolls in its own pane. */
  zoom(scale) {
    this.scale = Math.min(2.5, Math.max(0.5, scale));
    this.pane.style.setProperty("--zoom", String(this.scale));
  }

  /** Bring the first lit part into sight, if none is. */
  reveal() {
    const lit = [...this.root.querySelectorAll("[data-page-lit]")];
    const pane = this.pane.getBoundingClientRect();
    const isSeen = ({ left, right }) => right > pane.left && left < pane.right;
    if (!lit.length || lit.some((part) => isSeen(part.getBoundingClientRect()))) return;
    const { left } = lit[0].getBoundingClientRect();
    this.pane.scrollBy({ left: left - pane.left - pane.width / 3, behavior: still.matches ? "auto" : "smooth" });
  }

  /** Show a picture; what has moved since the last one moves there, what is new appears. */
  show(text) {
    if (text === this.text) return;
    this.text = text;
    const before = this.#places();
    const svg = parse(text);
    svg.setAttribute("focusable", "false");
    if (this.svg) this.svg.replaceWith(svg);
    else fill(this.pane, svg);
    const isFirst = !before.size;
    this.svg = svg;
    if (!isFirst && !still.matches) this.#move(before);
  }

  /** Take the picture away, so that nothing of it stays in the page. */
  clear() {
    fill(this.pane);
    this.svg = this.text = null;
  }

  #pieces() {
    return this.svg ? [...this.svg.querySelectorAll("[id][transform]")] : [];
  }

  #places() {
    return new Map(this.#pieces().map((piece) => [piece.id, piece.getBoundingClientRect()]));
  }

  #move(before) {
    const scale = this.svg.viewBox.baseVal.width / this.svg.getBoundingClientRect().width;
    for (const piece of this.#pieces()) {
      const was = before.get(piece.id);
      const [x, y] = place(piece);
      if (!was) {
        piece.animate([{ opacity: 0 }, { opacity: 1 }], MOVE);
        continue;
      }
      const now = piece.getBoundingClientRect();
      const [dx, dy] = [(was.left - now.left) * scale, (was.top - now.top) * scale];
      if (Math.abs(dx) + Math.abs(dy) < 2 || piece.parentElement.closest("[data-page-moving]")) continue;
      piece.setAttribute("data-page-moving", "");
      const moving = piece.animate(
        [{ transform: `translate(${x + dx}px, ${y + dy}px)` }, { transform: `translate(${x}px, ${y}px)` }],
        MOVE,
      );
      moving.finished.catch(() => {}).finally(() => piece.removeAttribute("data-page-moving"));
    }
  }

  /** The parts that actions can name or begin at. */
  parts() {
    if (!this.svg) return [];
    return [...this.svg.querySelectorAll("*")]
      .map((element) => ({ element, ...partOf(element) }))
      .filter(({ names, actions }) => actions || Object.keys(names).length);
  }

  /** The part with this id. */
  find(id) {
    return this.svg?.querySelector(`[id="${CSS.escape(id)}"]`) ?? null;
  }

  /** Light these parts and call back when one is chosen, by click or key; all others go dark. */
  light(elements, choose) {
    for (const old of this.root.querySelectorAll("[data-page-lit]")) {
      for (const name of ["data-page-lit", "tabindex", "role", "aria-label"]) old.removeAttribute(name);
    }
    const lit = new Set(elements);
    for (const element of lit) {
      element.setAttribute("data-page-lit", "");
      element.setAttribute("tabindex", "-1");
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", labelOf(element) ?? "");
    }
    this.svg?.setAttribute("role", lit.size ? "group" : "img");
    this.pane.onclick = (event) => {
      const chosen = event.target.closest?.("[data-page-lit]");
      if (chosen && lit.has(chosen)) choose(chosen);
    };
  }

  /** Mark the parts that have been chosen so far. */
  mark(elements) {
    for (const old of this.root.querySelectorAll("[data-page-chosen]")) old.removeAttribute("data-page-chosen");
    for (const element of elements) element.setAttribute("data-page-chosen", "");
  }
}
