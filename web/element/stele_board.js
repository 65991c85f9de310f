// <stele-board server="https://stele.example" game="…">: a game in any page, to play, to watch, to replay or to show.
//
// Attributes: `server` (this page's own, if there is none), `game`, `as` (whose eyes), `at` (an entry), `lang`, `theme`
// (light, dark, auto), `controls`. Property: `token`, a seat's; it never becomes an attribute. Events: `turn`, `played`,
// `refused`, `over`. With a token the game is played, without one it is watched; with `at` it is a still picture of
// that moment; with `controls` one can move through it.

import { Api, Unreachable } from "../api.js";
import { make } from "../elements.js";
import { TEXTS } from "../replay_texts.js";
import { LANGUAGES, Texts } from "../texts.js";
import boardStyle from "../board.css" with { type: "css" };
import elementStyle from "./element.css" with { type: "css" };
import { LiveBoard } from "./live_board.js";
import { PastBoard } from "./past_board.js";

const NARROW = 640; // pixels; a board in less is drawn for a phone held upright
const darkness = matchMedia("(prefers-color-scheme: dark)");

Texts.learn(TEXTS);

class SteleBoard extends HTMLElement {
  static observedAttributes = ["server", "game", "as", "at", "lang", "theme", "controls"];

  #root = this.attachShadow({ mode: "open" });
  #token = null;
  #shown = null;
  #isAsked = false;
  #width = new ResizeObserver(() => this.#measure());
  #onDarkness = () => this.#begin();

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [boardStyle, elementStyle];
    if (!Object.hasOwn(this, "token")) return;
    this.#token = this.token; // it was set before the element was known
    delete this.token;
  }

  /** A seat's token: with it the element plays. */
  get token() {
    return this.#token;
  }

  set token(token) {
    if (token === this.#token) return;
    this.#token = token || null;
    this.#begin();
  }

  connectedCallback() {
    this.#width.observe(this);
    darkness.addEventListener("change", this.#onDarkness);
    this.#begin();
  }

  disconnectedCallback() {
    this.#width.disconnect();
    darkness.removeEventListener("change", this.#onDarkness);
    this.#end();
  }

  attributeChangedCallback(name, before, now) {
    if (before !== now) this.#begin();
  }

  #end() {
    this.#shown?.close();
    this.#shown = null;
  }

  /** Begin anew, once for all that is changed at the same time. */
  #begin() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    queueMicrotask(() => {
      this.#isAsked = false;
      this.#end();
      if (this.isConnected && this.getAttribute("game")) this.#open();
    });
  }

  async #open() {
    const context = this.#context();
    const zones = this.#build(context);
    const tell = (name, detail) => this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    const Shown = context.at === null ? LiveBoard : PastBoard;
    const shown = (this.#shown = new Shown(zones, context, { tell, again: () => this.#begin() }));
    try {
      await shown.open();
    } catch (failure) {
      if (shown !== this.#shown) return;
      const { status = null, code = null } = failure;
      const message = failure instanceof Unreachable ? context.texts.say("offline") : failure.message;
      zones.problem.textContent = message;
      zones.problem.hidden = false;
      const hasInstead = this.childElementCount || this.textContent.trim();
      if (hasInstead && !shown.board?.svg) this.#root.replaceChildren(document.createElement("slot")); // what the page has instead
      tell("refused", { game: context.id, status, code, message, action: null });
    }
  }

  /** What the attributes ask for. */
  #context() {
    const at = this.getAttribute("at");
    const wished = [this.closest("[lang]")?.lang, ...navigator.languages].map((each) => each?.slice(0, 2));
    const lang = wished.find((each) => LANGUAGES.includes(each)) ?? LANGUAGES[0];
    const theme = this.getAttribute("theme");
    const server = this.getAttribute("server") ?? "";
    return {
      api: new Api(lang, server && new URL(server, location.href).origin),
      id: this.getAttribute("game"),
      viewer: { token: this.#token },
      as: this.getAttribute("as"),
      at: /^\d+$/.test(at ?? "") ? Number(at) : null,
      lang,
      theme: theme === "light" || theme === "dark" ? theme : darkness.matches ? "dark" : "light",
      texts: new Texts(lang),
      hasControls: this.hasAttribute("controls") && this.getAttribute("controls") !== "none",
      keys: this.#root,
      shape: () => this.#shape,
    };
  }

  get #shape() {
    return this.clientWidth && this.clientWidth <= NARROW ? "tall" : null;
  }

  #measure() {
    const frame = this.#root.firstElementChild;
    const shape = this.#shape ?? "wide";
    if (!frame || frame.dataset.shape === shape) return;
    frame.dataset.shape = shape;
    if (this.#shown?.board) this.#shown.redraw();
  }

  #build({ texts, at, lang, theme, hasControls }) {
    const zone = (kind, part, more = {}) => make(kind, { part, ...more });
    const zones = {
      moment: zone("p.moment", "moment", { role: "status" }),
      connection: zone("p.connection", "connection", { role: "status" }),
      problem: zone("p.refusal", "problem", { role: "alert", hidden: true }),
      players: zone("ul.players", "players", { "aria-label": texts.say("players"), hidden: at !== null }),
      board: zone("section.board", "board", { "aria-label": texts.say("board") }),
      zoom: make("div.zoom"),
      ending: zone("section.ending", "ending", { hidden: true }),
      said: zone("p.said", "said", { "aria-live": "polite" }),
      chooser: make("div.chooser"),
      turn: zone("section.turn", "turn", { "aria-label": texts.say("your_move"), tabindex: -1, hidden: true }),
      controls: zone("section.controls", "controls", { "aria-label": texts.say("controls"), hidden: !hasControls }),
    };
    zones.turn.append(zones.chooser);
    const { moment, connection, problem, players, board, ending, said, turn, controls } = zones;
    zones.frame = zone("div.stele-frame", "frame", { role: "group", lang, data: { theme, shape: this.#shape ?? "wide" } });
    if (at !== null && !hasControls) zones.frame.classList.add("still");
    zones.frame.append(make("div.bar", {}, moment, connection), players, problem, board, ending, said, turn, controls);
    this.#root.replaceChildren(zones.frame);
    return zones;
  }
}

if (!customElements.get("stele-board")) customElements.define("stele-board", SteleBoard);
