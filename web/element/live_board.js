// A game on the board of the element, as it is now: followed live, and played if there is a seat.

import { Board } from "../board.js";
import { FrameQueue } from "../frame_queue.js";
import { Guide } from "../guide.js";
import { Chooser } from "../parts/chooser.js";
import { Labels } from "../parts/labels.js";
import { Players } from "../parts/players.js";
import { drawScores } from "../parts/scores.js";
import { follow } from "../socket.js";
import { Story } from "../story.js";
import { Teller } from "../words.js";
import { Rail } from "./rail.js";

const RETRY = 3000; // milliseconds

export class LiveBoard {
  /**
   * `zones` are the parts of the element, `context` what it was asked to show: `{api, id, viewer, as, lang, theme,
   * texts, hasControls, keys}`; `tell(name, detail)` tells the host page, `again()` begins anew.
   */
  constructor(zones, context, { tell, again }) {
    Object.assign(this, { zones, context, tell, again, texts: context.texts });
    this.isClosed = false;
    this.rail = null;
    this.wanted = 0;
    this.decision = null;
    this.isOver = false;
    this.end = () => {};
  }

  close() {
    this.isClosed = true;
    this.end();
    this.queue?.close();
    this.players?.close();
    this.chooser?.close();
    this.rail?.close();
  }

  async open() {
    const { api } = this.context;
    this.game = await this.#fetch();
    this.ruleset = await api.ruleset(this.game.ruleset);
    this.rules = await api.guide(this.game.ruleset).catch((problem) => {
      if (problem.status === 404) return null; // a game without a guide
      throw problem;
    });
    if (this.isClosed) return;
    this.zones.frame.setAttribute("aria-label", this.ruleset.names[this.context.lang][this.game.ruleset]);
    this.board = new Board(this.zones.board, this.zones.zoom, this.texts);
    this.players = new Players(this.zones.players, { texts: this.texts, isMine: () => false });
    this.players.offset = Date.parse(this.game.now) - Date.now();
    await this.#enter();
    if (this.isClosed) return;
    this.queue = new FrameQueue(this.game.version, (frame, isDrawn) => this.#apply(frame, isDrawn));
    if (!this.game.settled)
      this.end = follow(api, this.context.id, this.context.viewer, {
        after: this.game.version,
        hear: (frame) => this.#hear(frame),
        state: (state, problem) => this.#connected(state, problem),
      });
    if (this.context.hasControls) await this.#control();
  }

  #fetch() {
    return this.context.api.game(this.context.id, this.context.viewer);
  }

  get seat() {
    return this.game.you ?? null;
  }

  get isMyTurn() {
    return this.seat !== null && this.game.status === "playing" && this.game.to_act.includes(this.seat);
  }

  /** Everyone's name is known: what is said and what stands on buttons is made of them. */
  async #enter() {
    const { ruleset, texts, context } = this;
    const names = this.game.seats.map((each) => texts.sitter(each));
    this.teller = new Teller(ruleset, context.lang, names);
    this.labels = new Labels(ruleset, this.teller.sentences, this.board, texts);
    this.guide = this.rules && new Guide(this.rules, ruleset, context.lang, names);
    this.chooser?.close();
    this.chooser = new Chooser(this.zones.chooser, {
      board: this.board,
      labels: this.labels,
      ruleset,
      texts,
      send: (action) => this.#send(action),
      help: this.#help(),
      seat: this.seat ?? 0,
      keys: context.keys,
    });
    await this.redraw();
    if (!this.isClosed) this.#show();
  }

  #help() {
    const { guide } = this;
    const about = (param, value) =>
      param === "type" ? guide?.data.actions[value]?.text : typeof value === "string" && guide?.data.things[value]?.effect;
    return {
      hide() {},
      will: (action) => guide?.confirm(action, this.seat, this.game.view) ?? "",
      about: (kind) => guide?.data.actions[kind]?.text ?? "",
      refusal: () => null,
      explain: (element, param, value) => (element.title = about(param, value) || ""),
    };
  }

  // -- looking back ---------------------------------------------------------------------------------------------------

  async #control() {
    const { api, id, viewer, as, lang, texts, keys } = this.context;
    const names = this.game.seats.map((each) => texts.sitter(each));
    const frames = (from, to) => api.replay(id, viewer, { from, to, limit: to - from + 1, as });
    const story = new Story({ ruleset: this.ruleset, language: lang, names, last: this.game.version, frames });
    const show = () => this.redraw().then(() => this.#show());
    this.rail = new Rail(this.zones.controls, { texts, story, show, keys });
    await this.rail.open(null);
  }

  get isLookingBack() {
    return this.rail !== null && !this.rail.isAtTheEnd;
  }

  // -- what happens ---------------------------------------------------------------------------------------------------

  #hear(frame) {
    return this.queue.add(frame).catch(() => setTimeout(() => this.#catchUp(), RETRY));
  }

  /** What has come could not be shown, since the server did not answer: show what is there once it does. */
  async #catchUp() {
    try {
      const game = await this.#fetch();
      if (this.isClosed || game.version < this.game.version) return;
      this.game = game;
      this.queue.version = game.version;
      await this.#enter();
    } catch {
      if (!this.isClosed) setTimeout(() => this.#catchUp(), RETRY);
    }
  }

  async #apply(frame, isDrawn) {
    const wasPlaying = this.game.status === "playing";
    const { event, ...situation } = frame;
    const before = frame.version === this.game.version + 1 ? this.game.view : null;
    this.game = { ...this.game, ...situation };
    this.zones.said.textContent = this.teller.event(event, frame.view, before).join(" ");
    this.rail?.add(frame);
    if (!wasPlaying || event.type !== "action_taken") {
      this.game = await this.#fetch();
      this.players.offset = Date.parse(this.game.now) - Date.now();
    }
    if (this.isClosed) return;
    if (!wasPlaying && this.game.status === "playing") await this.#enter();
    else if (isDrawn && !this.isLookingBack) await this.redraw(this.queue.isLatest ? null : frame.version);
    if (this.isClosed) return;
    if (event.type === "action_taken") this.#played(frame);
    this.#show();
  }

  #played({ version, event }) {
    const seat = event.actor.seat ?? null;
    this.tell("played", { game: this.context.id, version, seat, own: seat === this.seat, action: event.data.action ?? null });
  }

  /** Draw the board: as it is, or as it stood after an entry. */
  async redraw(version = this.isLookingBack ? this.rail.at : null) {
    if (!this.game.view) return this.board.clear();
    const { api, id, viewer, as, lang, theme } = this.context;
    const wanted = ++this.wanted;
    const picture = await api.board(id, viewer, { version, as, lang, theme, shape: this.context.shape() });
    if (this.isClosed || wanted !== this.wanted) return;
    this.board.show(picture);
    this.chooser.light();
  }

  async #send(action) {
    const { api, id, viewer } = this.context;
    const decision = this.game.decisions[this.seat] ?? null;
    try {
      await this.#hear(await api.act(id, action, { token: viewer.token, decision }));
    } catch (problem) {
      const { status = null, code = null, message } = problem;
      this.tell("refused", { game: id, status, code, message, action });
      if (code === "decision_passed") this.game = await this.#fetch();
      throw problem;
    }
  }

  #connected(state, problem) {
    const { connection } = this.zones;
    if (state === "rewound") return this.again();
    connection.dataset.state = state;
    const text = { refused: problem?.message, over: "" }[state];
    connection.textContent = text ?? this.texts.say(`connection_${state}`);
    if (state === "refused") {
      const { status, code, message } = problem;
      this.tell("refused", { game: this.context.id, status, code, message, action: null });
    }
  }

  // -- what is seen ---------------------------------------------------------------------------------------------------

  #show() {
    const { game, zones } = this;
    const isOver = game.status === "ended" || game.status === "aborted";
    zones.frame.dataset.version = String(game.version);
    zones.frame.classList.toggle("my-turn", this.isMyTurn);
    this.players.show(game, this.seat);
    zones.moment.textContent = this.#moment();
    zones.board.hidden = !game.view;
    zones.ending.hidden = !isOver;
    if (isOver) drawScores(zones.ending, { game, sentences: this.teller.sentences, texts: this.texts, viewer: this.seat });
    this.#offer();
    this.#announce(isOver);
  }

  #moment() {
    const { game, texts } = this;
    if (game.status !== "playing") return texts.say(`status_${game.status}`);
    if (this.isMyTurn) return texts.say("your_move");
    const { sentences } = this.teller;
    const who = sentences.grammar.listed(game.to_act.map((seat) => sentences.player(seat)));
    const isThinking = game.to_act.length > 0 && game.to_act.every((seat) => game.seats[seat].bot);
    return texts.say(isThinking ? "thinking" : "turn_of", { who });
  }

  /** Offer what may be done now; the keyboard stays where the moves are, while others play too. */
  #offer() {
    const { turn } = this.zones;
    const { activeElement } = this.context.keys;
    const isOffered = this.isMyTurn && !this.isLookingBack && (this.queue?.isLatest ?? true);
    const isHeld = turn.contains(activeElement) && !isOffered;
    this.chooser.offer(isOffered ? (this.game.actions ?? []) : []);
    turn.hidden = this.seat === null || this.game.status !== "playing";
    if (isHeld) turn.focus({ preventScroll: true });
    else if (isOffered && activeElement === turn) this.chooser.draw({ focus: true });
  }

  /** Tell the host page, once, whose turn it is and that the game is over. */
  #announce(isOver) {
    const { game, seat } = this;
    const { id } = this.context;
    const decision = this.isMyTurn ? game.decisions[seat] : null;
    if (decision !== null && decision !== this.decision)
      this.tell("turn", { game: id, version: game.version, seat, decision, deadline: game.deadlines[seat] ?? null });
    this.decision = decision;
    if (isOver && !this.isOver) this.tell("over", { game: id, status: game.status, outcome: game.outcome });
    this.isOver = isOver;
  }
}
