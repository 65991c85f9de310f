// Replay: a game again, entry by entry, with whose eyes one likes.

import { Board } from "../board.js";
import { announce, button, fill, make, seatMark } from "../elements.js";
import { FilmMaker } from "../parts/film.js";
import { PlayOn } from "../parts/play_on.js";
import { pngFile, save, svgFile } from "../keeping.js";
import { Scrubber } from "../parts/scrubber.js";
import { Story } from "../story.js";
import { wearing } from "../styles.js";
import { TEXTS } from "../texts_of_replays.js";
import { Texts } from "../texts.js";

Texts.learn(TEXTS);

const PACE = 1500; // milliseconds between two entries at usual speed
const SPEEDS = [0.5, 1, 2, 4];
const KEPT = 80; // boards that are remembered

export async function show(root, params, app) {
  await wearing(new URL("./replay.css", import.meta.url));
  const replay = new Replay(root, params, app);
  await replay.open();
  return () => replay.close();
}

class Replay {
  constructor(root, { id, at = null, as = null }, app) {
    Object.assign(this, { root, id, app, texts: app.texts, as });
    this.at = /^\d+$/.test(at ?? "") ? Number(at) : null;
    this.boards = new Map();
    this.reading = new AbortController();
    this.wanted = 0;
    this.speed = 1;
    this.timer = null;
  }

  // -- who looks ------------------------------------------------------------------------------------------------------

  /** While a game is played one looks back as oneself; once it is settled, as anyone. */
  get viewer() {
    const mine = this.app.seats.seatsIn(this.id);
    const isMe = this.game?.settled || (mine.length === 1 && this.as !== "spectator");
    const token = isMe && mine.length ? this.app.seats.token(this.id, mine[0]) : null;
    return { token, code: token || this.game?.settled ? null : (this.app.seats.of(this.id).code ?? null) };
  }

  get eyes() {
    if (this.game.settled) return ["", "spectator", ...this.game.seats.map(({ seat }) => String(seat))];
    return this.app.seats.seatsIn(this.id).length === 1 ? ["", "spectator"] : ["spectator"];
  }

  get look() {
    return { as: this.as || null, lang: this.app.lang, theme: this.app.theme };
  }

  #nameOfEyes(eyes) {
    if (eyes === "spectator") return this.texts.say("eyes_spectator");
    if (eyes !== "") return this.texts.say("eyes_seat", { who: this.names[Number(eyes)] ?? this.texts.say("eyes_seat_number", { n: eyes }) });
    return this.texts.say(this.game.settled ? "eyes_open" : "eyes_mine");
  }

  // -- opening and closing --------------------------------------------------------------------------------------------

  async open() {
    const { api } = this.app;
    const mine = this.app.seats.seatsIn(this.id);
    const first = { token: mine.length ? this.app.seats.token(this.id, mine[0]) : null, code: this.app.seats.of(this.id).code ?? null };
    this.game = await api.game(this.id, first, { include: null });
    this.ruleset = await api.ruleset(this.game.ruleset);
    this.names = this.game.seats.map((each) => this.texts.sitter(each));
    if (!this.eyes.includes(this.as ?? "")) this.as = this.eyes[0];
    this.as ||= "";
    this.#build();
    await this.#read();
  }

  close() {
    this.pause();
    this.reading.abort();
    this.film.stop();
    removeEventListener("keydown", this.onKey);
  }

  #build() {
    const { texts } = this;
    const name = this.ruleset.names[this.app.lang][this.game.ruleset];
    this.app.title(texts.say("replay_of", { game: name }));
    this.moment = make("p.moment", { id: "moment" });
    this.zooming = make("div.zoom");
    this.problem = make("p.refusal", { role: "alert", hidden: true });
    this.boardZone = make("section.board", { "aria-label": texts.say("board") });
    this.list = make("ol.log", { tabindex: 0, "aria-label": texts.say("told") });
    this.scrubber = new Scrubber({ texts, go: (version) => this.go(version) });
    this.playing = button(texts.say("play_it"), () => this.toggle(), { kind: "primary", id: "play" });
    this.film = new FilmMaker({ texts, scenes: () => this.#scenes(), name: () => this.#fileName() });
    this.playOn = new PlayOn({ app: this.app, game: this.game, ruleset: this.ruleset, viewer: () => this.viewer, version: () => this.at });
    const bar = make("header.bar", {}, make("h1", {}, texts.say("replay_of", { game: name })), this.moment, this.#eyesChoice(), this.zooming);
    const side = make("aside.side", {}, this.#actions(), make("section.panel.story", {}, make("h2", {}, texts.say("told")), this.list));
    const middle = make("div.middle", {}, this.boardZone, this.#controls());
    fill(this.root, make("div.table", {}, bar, this.problem, make("div.where", {}, middle, side)), this.playOn.dialog, this.film.dialog);
    this.board = new Board(this.boardZone, this.zooming, texts);
    this.onKey = (event) => this.#key(event);
    addEventListener("keydown", this.onKey);
  }

  #eyesChoice() {
    const change = (event) => {
      this.as = event.target.value;
      this.boards.clear();
      this.#read();
    };
    const select = make("select", { id: "eyes", onchange: change }, this.eyes.map((eyes) => make("option", { value: eyes }, this.#nameOfEyes(eyes))));
    select.value = this.as;
    return make("label.eyes", {}, make("span.quiet", {}, this.texts.say("eyes")), select);
  }

  #controls() {
    const { texts } = this;
    const step = (sign, key, to) => button(sign, () => this.go(to()), { "aria-label": texts.say(key), title: texts.say(key), data: { step: key } });
    const speed = make(
      "select",
      { id: "speed", "aria-label": texts.say("speed"), onchange: (event) => (this.speed = Number(event.target.value)) },
      SPEEDS.map((each) => make("option", { value: each, selected: each === 1 }, `${each.toLocaleString(this.app.lang)} ×`)),
    );
    return make(
      "section.panel.controls",
      { "aria-label": texts.say("controls") },
      this.scrubber.root,
      make(
        "div.row",
        {},
        step("«", "turn_before", () => this.#turnBefore()),
        step("‹", "entry_before", () => this.at - 1),
        this.playing,
        step("›", "entry_after", () => this.at + 1),
        step("»", "turn_after", () => this.#turnAfter()),
        speed,
      ),
      make("p.quiet.small.keys", {}, texts.say("keys")),
    );
  }

  #actions() {
    const { texts } = this;
    const copied = make("span.quiet.small", { role: "status" });
    const copy = async () => {
      await navigator.clipboard.writeText(this.link);
      copied.textContent = texts.say("copied_moment");
    };
    return make(
      "section.panel.moment-actions",
      { "aria-label": texts.say("this_moment") },
      make(
        "div.row",
        {},
        this.game.settled && button(texts.say("play_on"), () => this.#act(() => this.playOn.ask()), { kind: "primary", id: "play-on" }),
        button(texts.say("copy_moment"), () => this.#act(copy), { id: "copy-moment" }),
        copied,
      ),
      make(
        "details.keep",
        {},
        make("summary", {}, texts.say("keep")),
        make(
          "div.row",
          {},
          button(texts.say("keep_png"), () => this.#act(() => this.#keep("png")), { id: "keep-png" }),
          button(texts.say("keep_svg"), () => this.#act(() => this.#keep("svg")), { id: "keep-svg" }),
          button(texts.say("keep_film"), () => this.#act(() => this.film.ask()), { id: "keep-film" }),
        ),
        make("p.quiet.small", {}, texts.say("film_command"), " ", make("code", {}, `stele picture ${this.id} ${this.game.ruleset}.gif`)),
      ),
      this.game.settled && make("p.small", {}, make("a", { href: `#/games/${this.id}/audit` }, texts.say("to_audit_of"))),
    );
  }

  async #act(what) {
    this.problem.hidden = true;
    try {
      await what();
    } catch (failure) {
      this.problem.textContent = this.texts.say("failed", { why: failure.message });
      this.problem.hidden = false;
    }
  }

  // -- the story ------------------------------------------------------------------------------------------------------

  async #read() {
    this.reading.abort();
    const reading = (this.reading = new AbortController());
    const { ruleset, names, game, app } = this;
    const frames = (from, to) => app.api.replay(this.id, this.viewer, { from, to, limit: to - from + 1, as: this.as || null });
    this.story = new Story({ ruleset, language: app.lang, names, last: game.version, frames });
    fill(this.list);
    await this.story.read((entries) => this.#hear(entries), reading.signal);
  }

  #hear(entries) {
    this.list.append(...entries.map((entry) => this.#told(entry)));
    const { first, last } = this.story;
    if (first === null) return;
    this.scrubber.span(first, last, this.#marks());
    this.go(Math.max(first, Math.min(this.at ?? first, last)));
    this.#mark();
  }

  #marks() {
    return [...this.story.entries.values()].filter(({ turn }) => turn).map(({ version, turn }) => ({ version, label: this.#turnName(turn) }));
  }

  #turnName([member, number]) {
    return `${this.ruleset.names[this.app.lang][member] ?? member} ${number}`;
  }

  #told({ version, seat, headline, sentences, turn }) {
    const go = () => {
      this.pause();
      this.go(Math.max(version, this.story.first ?? version));
    };
    return make(
      "li",
      { data: { version } },
      turn && make("p.turn-name", {}, this.#turnName(turn)),
      make(
        "button.plain.entry",
        { type: "button", onclick: go },
        seat === null ? make("span.mark") : seatMark(seat),
        make("span", {}, sentences.length ? sentences.join(" ") : headline),
      ),
    );
  }

  // -- moving ---------------------------------------------------------------------------------------------------------

  /** Show the game as it stood after an entry. */
  go(version) {
    const { first, last } = this.story;
    const at = Math.max(first, Math.min(version, last));
    this.at = at;
    this.scrubber.show(at, this.#valueText());
    history.replaceState(history.state, "", this.link);
    this.#mark();
    return this.#showBoard();
  }

  get link() {
    const chosen = new URLSearchParams({ at: this.at, ...(this.as ? { as: this.as } : {}) });
    return `${location.origin}/#/games/${this.id}/replay?${chosen}`;
  }

  #valueText() {
    const entry = this.story.entries.get(this.at);
    const number = { n: this.at, last: this.story.last };
    if (!entry) return this.texts.say("entry_of", number);
    return this.texts.say("entry_told", { ...number, what: entry.sentences.join(" ") || entry.headline });
  }

  /** Mark the entry in the list, and keep it in sight without moving the page. */
  #mark() {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = this.list.querySelector(`[data-version="${this.at}"]`);
    item?.setAttribute("aria-current", "true");
    if (!item) return;
    this.list.scrollTop = item.offsetTop - (this.list.clientHeight - item.offsetHeight) / 2;
  }

  async #showBoard() {
    const turn = ++this.wanted;
    try {
      const text = await this.#boardAt(this.at);
      if (turn !== this.wanted) return;
      this.board.show(text);
      this.moment.textContent = this.board.moment;
      if (this.timer) this.#boardAt(Math.min(this.at + 1, this.story.last)); // the next one is there when it is wanted
    } catch (failure) {
      if (turn !== this.wanted) return;
      this.pause();
      this.problem.textContent = failure.message;
      this.problem.hidden = false;
    }
  }

  /** A board as text; what was shown lately is there at once. */
  #boardAt(version) {
    const { boards } = this;
    if (!boards.has(version)) {
      const coming = this.app.api.board(this.id, this.viewer, { version, ...this.look });
      coming.catch(() => boards.delete(version));
      boards.set(version, coming);
      if (boards.size > KEPT) boards.delete(boards.keys().next().value);
    }
    return boards.get(version);
  }

  #turnBefore() {
    return this.story.turns.filter((version) => version < this.at).at(-1) ?? this.story.first;
  }

  #turnAfter() {
    return this.story.turns.find((version) => version > this.at) ?? this.story.last;
  }

  // -- playing --------------------------------------------------------------------------------------------------------

  toggle() {
    if (this.timer) this.pause();
    else this.play();
  }

  play() {
    if (this.at >= this.story.last) this.go(this.story.first);
    const tick = async () => {
      if (this.at >= this.story.last) return this.pause();
      await this.go(this.at + 1);
      if (this.timer) this.timer = setTimeout(tick, PACE / this.speed);
    };
    this.timer = setTimeout(tick, PACE / this.speed / 2);
    this.playing.textContent = this.texts.say("pause");
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.playing.textContent = this.texts.say("play_it");
  }

  #key(event) {
    const isText = event.target.closest?.("input:not([type=range]), select, textarea, dialog, summary");
    if (isText || event.ctrlKey || event.metaKey || event.altKey) return;
    const isButton = event.target.closest?.("button, a");
    const steps = {
      ArrowLeft: () => (event.shiftKey ? this.#turnBefore() : this.at - 1),
      ArrowRight: () => (event.shiftKey ? this.#turnAfter() : this.at + 1),
      PageUp: () => this.#turnBefore(),
      PageDown: () => this.#turnAfter(),
      Home: () => this.story.first,
      End: () => this.story.last,
    };
    if (event.key === " " && !isButton) this.toggle();
    else if (event.key in steps && this.story.first !== null) {
      this.pause();
      this.go(steps[event.key]());
      announce(this.#valueText());
    } else return;
    event.preventDefault();
  }

  // -- keeping --------------------------------------------------------------------------------------------------------

  #fileName() {
    return `${this.game.ruleset}-${this.id}`;
  }

  async #keep(kind) {
    const text = await this.#boardAt(this.at);
    save(kind === "svg" ? svgFile(text) : await pngFile(text), `${this.#fileName()}-${this.at}.${kind}`);
  }

  /** Everything that is seen and told, from the beginning to the end. */
  #scenes() {
    const { first, last, entries } = this.story;
    const boardAt = (version) => this.#boardAt(version);
    const words = ({ sentences, headline }) => sentences.join(" ") || headline;
    return {
      count: last - first + 1,
      async *all() {
        for (let version = first; version <= last; version++)
          yield { board: await boardAt(version), words: words(entries.get(version) ?? { sentences: [], headline: "" }) };
      },
    };
  }
}
