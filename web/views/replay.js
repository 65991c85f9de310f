// Replay: a game again, entry by entry, with whose eyes one likes.

import { Board } from "../board.js";
import { announce, button, fill, make } from "../elements.js";
import { ReviewRequest } from "../parts/review_request.js";
import { Moment } from "../parts/moment_actions.js";
import { Scrubber } from "../parts/scrubber.js";
import { StoryList } from "../parts/story_list.js";
import { Story } from "../story.js";
import { loadStylesheet } from "../stylesheets.js";
import { TEXTS } from "../replay_texts.js";
import { Texts } from "../texts.js";

Texts.learn(TEXTS);

const PACE = 1500; // milliseconds between two entries at usual speed
const SPEEDS = [0.5, 1, 2, 4];
const KEPT = 80; // boards that are remembered

export async function show(root, params, app) {
  await loadStylesheet(new URL("./replay.css", import.meta.url));
  const replay = new Replay(root, params, app);
  await replay.open();
  return () => replay.close();
}

class Replay {
  constructor(root, { id, at = null, as = null, review = null }, app) {
    Object.assign(this, { root, id, app, texts: app.texts, as, isReviewed: review !== null });
    this.at = /^\d+$/.test(at ?? "") ? Number(at) : null;
    this.boards = new Map();
    this.reading = new AbortController();
    this.wanted = 0;
    this.speed = 1;
    this.timer = null;
    /** Fulfilled when there is a board to look at. */
    this.begun = new Promise((resolve) => (this.hasBegun = resolve));
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
    const reading = this.#read();
    if (this.isReviewed) this.asking?.look();
    await reading;
  }

  close() {
    this.pause();
    this.reading.abort();
    this.moments.close();
    this.asking?.close();
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
    this.told = new StoryList({ texts, go: (version) => this.goTo(version), turnName: (turn) => this.turnName(turn) });
    this.scrubber = new Scrubber({ texts, go: (version) => this.go(version) });
    this.playing = button(texts.say("play_it"), () => this.toggle(), { kind: "primary", id: "play" });
    this.moments = new Moment({ app: this.app, game: this.game, ruleset: this.ruleset, replay: this, act: (what) => this.#act(what) });
    const bar = make("header.bar", {}, make("h1", {}, texts.say("replay_of", { game: name })), this.moment, this.#eyesChoice(), this.zooming);
    this.asking = this.game.settled && new ReviewRequest({ app: this.app, game: this.game, viewer: () => this.viewer, found: (review) => this.#review(review) });
    const side = make("aside.side", {}, this.moments.root, this.asking?.root, make("section.panel.story", {}, make("h2", {}, texts.say("told")), this.told.root));
    this.middle = make("div.middle", {}, this.boardZone, this.#controls());
    fill(this.root, make("div.table", {}, bar, this.problem, make("div.where", {}, this.middle, side)), this.moments.dialogs);
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
    this.present = make("div.present", {}, this.scrubber.text);
    return make(
      "section.panel.controls",
      { "aria-label": texts.say("controls") },
      this.scrubber.root,
      this.present,
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
    this.told.clear();
    await this.story.read((entries) => this.#hear(entries), reading.signal);
  }

  #hear(entries) {
    this.told.add(entries);
    const { first, last } = this.story;
    if (first === null) return;
    this.hasBegun();
    this.scrubber.span(first, last, this.#marks());
    this.go(Math.max(first, Math.min(this.at ?? first, last)));
    this.told.mark(this.at);
  }

  #marks() {
    return [...this.story.entries.values()].filter(({ turn }) => turn).map(({ version, turn }) => ({ version, label: this.turnName(turn) }));
  }

  turnName([member, number]) {
    return `${this.ruleset.names[this.app.lang][member] ?? member} ${number}`;
  }

  // -- the review -----------------------------------------------------------------------------------------------------

  /** Show a review; gives back what leads to its findings. */
  async #review(found) {
    const [{ Review }] = await Promise.all([import("../parts/review.js"), this.begun]);
    this.review = await Review.of(found, this);
    this.isReviewed = true;
    this.root.classList.add("reviewed");
    this.scrubber.under(this.review.root);
    this.present.append(this.review.present);
    this.middle.append(this.review.findings.root);
    this.go(this.at);
    return () => this.review.findings.root.scrollIntoView({ block: "nearest" });
  }

  // -- moving ---------------------------------------------------------------------------------------------------------

  /** Stop playing, and show the game as it stood after an entry, or as soon as there was a board. */
  goTo(version) {
    this.pause();
    return this.go(Math.max(version, this.story.first ?? version));
  }

  /** Show the game as it stood after an entry. */
  go(version) {
    const { first, last } = this.story;
    const at = Math.max(first, Math.min(version, last));
    this.at = at;
    this.scrubber.show(at, this.#valueText());
    history.replaceState(history.state, "", this.#place);
    this.told.mark(at);
    this.review?.show(at);
    return this.#showBoard();
  }

  /** The address of this moment, which other pages preview. */
  get link() {
    return `${location.origin}/g/${this.id}/${this.at}${this.as || this.isReviewed ? this.#place : ""}`;
  }

  get #place() {
    const chosen = new URLSearchParams({ at: this.at, ...(this.as ? { as: this.as } : {}), ...(this.isReviewed ? { review: 1 } : {}) });
    return `#/games/${this.id}/replay?${chosen}`;
  }

  #valueText() {
    const entry = this.story.entries.get(this.at);
    const number = { n: this.at, last: this.story.last };
    if (!entry) return this.texts.say("entry_of", number);
    return this.texts.say("entry_told", { ...number, what: entry.sentences.join(" ") || entry.headline });
  }

  async #showBoard() {
    const turn = ++this.wanted;
    try {
      const text = await this.boardAt(this.at);
      if (turn !== this.wanted) return;
      this.board.show(text);
      this.review?.frame(this.board, this.at, this.as);
      this.moment.textContent = this.board.moment;
      if (this.timer) this.boardAt(Math.min(this.at + 1, this.story.last)); // the next one is there when it is wanted
    } catch (failure) {
      if (turn !== this.wanted) return;
      this.pause();
      this.problem.textContent = failure.message;
      this.problem.hidden = false;
    }
  }

  /** A board as text; what was shown lately is there at once. */
  boardAt(version) {
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
}
