// A board: the picture that the API draws, put into the page. Pieces that have moved move; parts can be lit and clicked.

import { button, draw, fill, make } from "./elements.js";

const FORBIDDEN = "script, style, foreignObject, iframe, image, a, animate, set";
const NOT_NAMES = ["data-latest", "data-seat", "data-to-act", "data-theme", "data-explain"];
const still = matchMedia("(prefers-reduced-motion: reduce)");
const FINGERTIP = 44; // pixels that a finger hits at least
const MOVE = { duration: 380, easing: "cubic-bezier(.3,.1,.2,1)" };

/** The picture as an element. Ours hold nothing that could act; should one ever, it is not shown. */
export function parse(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const acts = [...svg.querySelectorAll("*"), svg].some((each) =>
    [...each.attributes].some(
      ({ name, value }) => name.startsWith("on") || (name.endsWith("href") && !value.startsWith("#")),
    ),
  );
  if (svg.localName !== "svg" || svg.querySelector(FORBIDDEN) || acts) throw new Error("this picture cannot be shown");
  return document.adoptNode(svg);
}

const place = (element) => {
  const [, x = 0, y = 0] =
    /^translate\((-?[\d.]+)[ ,]+(-?[\d.]+)\)/.exec(element.getAttribute("transform") ?? "") ?? [];
  return [Number(x), Number(y)];
};

/** What a part says of itself: `{names: {parameter: value}, actions: [type]|null}`. Values are JSON, or plain text. */
export function partOf(element) {
  const names = {};
  let actions = null;
  for (const { name, value } of element.attributes) {
    if (!name.startsWith("data-") || NOT_NAMES.includes(name)) continue;
    if (name === "data-actions") actions = value.split(" ");
    else if (!name.startsWith("data-page-")) names[name.slice("data-".length)] = value;
  }
  return { names, actions };
}

/** What a part is called: its own title. */
export const labelOf = (element) =>
  [...element.children].find((child) => child.localName === "title")?.textContent ?? null;

/** Show or hide what a part of a tall board opens; a part that is lit is clicked for its own sake. */
function toggleSheet({ target }) {
  const part = target.closest("[data-opens]");
  if (!part || target.closest("[data-page-lit]")) return;
  const sheet = part.ownerSVGElement.querySelector(`[id="${CSS.escape(part.dataset.opens)}"]`);
  if (sheet?.hasAttribute("display")) sheet.removeAttribute("display");
  else sheet?.setAttribute("display", "none");
}

/** Of parts that are smaller than a fingertip, the nearest one within its reach. */
function nearest(parts, x, y) {
  const far = (part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    const [across, down] = [Math.abs(x - left - width / 2), Math.abs(y - top - height / 2)];
    const isNear = across <= Math.max(width, FINGERTIP) / 2 && down <= Math.max(height, FINGERTIP) / 2;
    return isNear ? across + down : Infinity;
  };
  const [best = null] = parts.map((part) => [far(part), part]).sort(([one], [other]) => one - other);
  return best && best[0] < Infinity ? best[1] : undefined;
}

export class Board {
  /** `zooming` is where the buttons go that make it larger and smaller. The root may lie in a shadow tree. */
  constructor(root, zooming, texts) {
    this.root = root;
    this.pane = make("div.pane", { tabindex: 0, role: "group", "aria-label": texts.say("board") });
    const zoom = (by) => () => this.zoom(this.scale * by);
    const buttons = [
      ["−", 1 / 1.3, "smaller"],
      ["+", 1.3, "larger"],
    ].map(([sign, by, name]) => button(sign, zoom(by), { "aria-label": texts.say(name), id: name }));
    this.pane.addEventListener("click", toggleSheet);
    fill(root, this.pane);
    fill(zooming, buttons);
    this.svg = null;
    this.scale = 1;
    this.golden = new Set();
  }

  /** Draw the board larger or smaller than the page would; it then scrolls in its own pane. */
  zoom(scale) {
    this.scale = Math.min(2.5, Math.max(0.5, scale));
    this.pane.style.setProperty("--zoom", String(this.scale));
  }

  /** Bring a lit part into sight, if none is; where the player's panel covers the screen, above it. */
  reveal(panel) {
    const lit = [...this.root.querySelectorAll("[data-page-lit]")];
    const pane = this.pane.getBoundingClientRect();
    const bottom = getComputedStyle(panel).position === "fixed" ? panel.getBoundingClientRect().top : innerHeight;
    const isSeen = ({ left, right, top, bottom: end }) =>
      right > pane.left && left < pane.right && top >= 0 && end <= bottom;
    if (!lit.length || lit.some((part) => isSeen(part.getBoundingClientRect()))) return;
    const behavior = still.matches ? "auto" : "smooth";
    const { left, top, height } = lit[0].getBoundingClientRect();
    this.pane.scrollBy({ left: left - pane.left - pane.width / 3, behavior });
    if (top < 0 || top + height > bottom) scrollBy({ top: top - bottom / 2, behavior });
  }

  /** Show a picture; what has moved since the last one moves there, what is new appears. */
  show(text) {
    if (text === this.text) return;
    this.text = text;
    const before = this.#places();
    const svg = parse(text);
    svg.setAttribute("focusable", "false");
    this.pane.dataset.shape = svg.viewBox.baseVal.width < svg.viewBox.baseVal.height ? "tall" : "wide";
    if (this.svg) this.svg.replaceWith(svg);
    else fill(this.pane, svg);
    const isFirst = !before.size;
    this.svg = svg;
    if (!isFirst && !still.matches) this.#move(before);
  }

  /** The moment that the picture shows, in words: what its title says after the name of the game. */
  get moment() {
    return this.svg?.querySelector("title")?.textContent.replace(/^[^,]*, /, "") ?? "";
  }

  /** Take the picture away, so that nothing of it stays in the page. */
  clear() {
    fill(this.pane);
    this.svg = this.text = this.lamps = this.marks = this.spots = this.gilt = null;
    this.golden = new Set();
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

  /** Light these parts and call back when one is chosen by a click; all others go dark. */
  light(elements, choose, isQuiet = () => false) {
    for (const old of this.root.querySelectorAll("[data-page-lit]")) old.removeAttribute("data-page-lit");
    this.lamps?.remove();
    const frame = (element) => this.#frame(element, isQuiet(element) ? "lamp quiet-lamp" : "lamp");
    const lamps = new Map([...elements].map((element) => [element, frame(element)]));
    for (const element of lamps.keys()) element.setAttribute("data-page-lit", "");
    this.lamps = this.#layer("lamps", lamps.values());
    // The board may have been drawn anew between the press of a button and its release: what counts is where it was.
    // A lit part may lie under others that are not.
    const litAt = ({ clientX, clientY }) =>
      this.root
        .getRootNode()
        .elementsFromPoint(clientX, clientY)
        .map((each) => each.closest("[data-page-lit]"))
        .find((each) => lamps.has(each)) ?? nearest([...lamps.keys()], clientX, clientY);
    this.pane.onclick = (event) => {
      const element = litAt(event);
      if (element) choose(element);
      else if (this.confirm && this.#markedAt(event)) this.confirm();
      else if (this.svg?.contains(event.target)) this.onMiss?.(event.target);
    };
    this.pane.onpointermove = (event) => {
      const element = litAt(event);
      this.pane.classList.toggle("on-lit", Boolean(element));
      this.point(element);
    };
    this.point = (element) => {
      for (const lamp of lamps.values()) lamp.classList.toggle("bright", lamp === lamps.get(element));
    };
  }

  /** Show which lit part is meant. */
  point() {}

  #markedAt({ clientX, clientY }) {
    const within = ({ left, right, top, bottom }) =>
      clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    return [...this.root.querySelectorAll(".marks .mark, .ghost")].some((each) => within(each.getBoundingClientRect()));
  }

  /** Mark the parts that have been chosen so far; `confirm`, if given, is called by a second click on one of them. */
  mark(elements, confirm = null) {
    this.marks?.remove();
    this.confirm = confirm;
    this.marks = this.#layer(
      "marks",
      elements.map((element) => this.#frame(element, "mark")),
    );
  }

  /** Keep gold on what the latest entries changed: on what wears it now, and on what was kept before unless all is `anew`. */
  gild(anew) {
    this.gilt?.remove();
    this.gilt = null;
    if (anew) this.golden = new Set();
    if (!this.svg) return;
    const kept = [...this.golden].map((id) => this.find(id)).filter(Boolean);
    if (anew) return;
    const worn = [...this.svg.querySelectorAll("[data-latest][id]")];
    this.golden = new Set([...this.golden, ...worn.map(({ id }) => id)]);
    const frames = kept.filter((part) => !worn.includes(part)).map((part) => this.#frame(part, "kept"));
    this.gilt = this.#layer("gilt", frames);
    if (this.lamps?.isConnected) this.svg.insertBefore(this.gilt, this.lamps);
  }

  /** Point out parts that somebody speaks of, without lighting them. */
  spot(elements) {
    this.spots?.remove();
    this.spots = this.#layer(
      "spots",
      elements.map((element) => this.#frame(element, "spot")),
    );
    if (this.lamps?.isConnected) this.svg.insertBefore(this.spots, this.lamps); // what can be chosen is seen above it
    elements[0]?.scrollIntoView?.({ block: "nearest", inline: "center", behavior: still.matches ? "auto" : "smooth" });
  }

  /** Where a part lies, in the picture's own units. */
  extent(element) {
    const { x, y, width, height } = element.getBBox();
    const { a, d, e, f } = this.svg.getScreenCTM().inverse().multiply(element.getScreenCTM());
    return { x: x * a + e, y: y * d + f, width: width * a, height: height * d };
  }

  #layer(name, frames) {
    const layer = draw("g", { class: name, "aria-hidden": "true" }, ...frames);
    this.svg?.append(layer);
    return layer;
  }

  /** A frame around a part: what is lit must be seen even where the part itself is but an empty place. */
  #frame(element, name) {
    const { x, y, width, height } = this.extent(element);
    const place = { x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: 9 };
    return draw(
      "g",
      { class: name },
      draw("rect", { ...place, class: "edge" }),
      draw("rect", { ...place, class: "gold" }),
    );
  }
}
