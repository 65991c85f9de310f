// A game at the table: followed live, seen by one seat of this browser at a time, or by a spectator.

import { Board } from "./board.js";
import { announce, button, fill, make } from "./elements.js";
import { Guide } from "./guide.js";
import { Chooser } from "./parts/chooser.js";
import { Ending } from "./parts/ending.js";
import { Explainer } from "./parts/explainer.js";
import { Elapsed } from "./parts/elapsed.js";
import { askGuide, guideButton } from "./parts/guide_button.js";
import { findHint, partsOf } from "./parts/hint.js";
import { Labels } from "./parts/labels.js";
import { Log } from "./parts/log.js";
import { Playback } from "./parts/playback.js";
import { Players } from "./parts/players.js";
import { makeRoom } from "./parts/room.js";
import { drawTools } from "./parts/table_tools.js";
import { drawWaiting } from "./parts/waiting_room.js";
import { WhyNot } from "./parts/why_not.js";
import { notify, subscribe } from "./notifications.js";
import { openSeals, sitDown } from "./seals.js";
import * as seats from "./seat_storage.js";
import { signAction, signResignation, signTakeback } from "./signing.js";
import { act, follow } from "./socket.js";
import { badge, play } from "./sounds.js";
import { loadStylesheet } from "./stylesheets.js";
import { Teller } from "./words.js";

loadStylesheet(new URL("./table.css", import.meta.url));

const MOST_WAITING = 30; // with more of them, they are told, but not shown one by one
const still = matchMedia("(prefers-reduced-motion: reduce)");
const narrow = matchMedia("(max-width: 640px)");
const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Table {
  /** `watching` looks as a spectator, whatever seats this browser has; `code` is that of a private game. */
  constructor(root, id, app, { watching: isWatching = false, code = null } = {}) {
    Object.assign(this, { root, id, app, isWatching });
    this.texts = app.texts;
    this.code = code ?? seats.of(id).code ?? null;
    this.mine = isWatching ? [] : seats.seatsIn(id);
    this.seat = this.mine[0] ?? null;
    this.unshown = [];
    /** The versions before this seat's latest actions, as far as they were seen here: where undoing leads. */
    this.undoable = [];
    this.ends = [];
    this.isClosed = false;
  }

  get viewer() {
    return {
      token: this.seat === null ? null : seats.token(this.id, this.seat),
      code: this.seat === null ? this.code : null,
    };
  }

  async open() {
    const { api } = this.app;
    this.game = await this.#fetch();
    this.ruleset = await api.ruleset(this.game.ruleset);
    this.rules = await api.guide(this.game.ruleset).catch((problem) => {
      if (problem.status === 404) return null; // a game without a guide
      throw problem;
    });
    if (this.mine.length > 1 && this.game.status === "playing") this.seat = this.#nextHere() ?? this.seat;
    this.#build();
    if (this.mine.length > 1 && this.game.status === "playing") this.#cover(this.seat);
    else await this.#enter();
  }

  close() {
    this.isClosed = true;
    badge(false);
    this.#leave();
    this.players?.close();
    this.elapsed?.close();
    this.playback?.skip();
    this.chooser?.close();
    this.explainer?.close();
    this.ending?.close();
  }

  async #fetch() {
    const game = await this.app.api.game(this.id, this.viewer);
    if (game.join_code) {
      this.code = game.join_code;
      seats.note(this.id, { code: game.join_code });
    }
    return game;
  }

  // -- the room -----------------------------------------------------------------------------------------------------

  #build() {
    const { texts } = this;
    const name = this.ruleset.names[this.app.lang][this.game.ruleset];
    const code = this.game.private ? this.code : null;
    this.app.title(name);
    Object.assign(this, makeRoom(name, texts, { id: this.id, code, ...(this.mine.length && this.#menu()) }, this.rules && guideButton(this.app, this.game.ruleset, { id: "rules" })));
    fill(this.root, this.covering, this.room);
    this.board = new Board(this.boardZone, this.zooming, texts);
    this.playback = new Playback(this.caption, {
      texts,
      speed: () => seats.wish("pace", "normal"),
      isStill: () => still.matches,
      show: (version) => this.#redraw(version),
    });
    this.players = new Players(this.playersList, { texts, isMine: (seat) => this.mine.includes(seat) });
  }

  /** What who sits here finds in the menu. */
  #menu() {
    const { api } = this.app;
    const panel = async (kind) => {
      const { openSeatPanel } = await import("./parts/devices.js");
      await openSeatPanel(this.app, this.id, this.seat, kind);
    };
    return {
      resign: () => this.#try(() => this.#resign()),
      panel: (kind) => this.#try(() => panel(kind)),
      pause: this.game.clock && (() => this.#try(() => api.pause(this.id, this.viewer.token))),
    };
  }

  /** See the game through the eyes of the present seat, and follow it. */
  async #enter() {
    const { texts, app } = this;
    const names = this.game.seats.map((each) => texts.sitter(each));
    const teller = new Teller(this.ruleset, app.lang, names);
    this.labels = new Labels(this.ruleset, teller.sentences, this.board, texts);
    this.log = new Log(this.logZone, {
      teller,
      texts,
      frames: (from, to) => app.api.replay(this.id, this.viewer, { from, to }),
    });
    this.guide = this.rules && new Guide(this.rules, this.ruleset, app.lang, names);
    this.#explain();
    const choosing = make("div.chooser");
    this.turnHead = make("h2", { id: "turn" });
    this.turnNote = make("div.note");
    this.turnWhy = make("p.turn-why.quiet.small");
    this.tools = make("div.tools", { hidden: true });
    this.elapsed?.close();
    this.elapsed = new Elapsed(make("span.elapsed.quiet"));
    const grip = button("", () => this.#raise(), { kind: "grip", id: "grip", "aria-label": texts.say("moves_list"), "aria-expanded": "false" });
    const head = make("div.turn-head", {}, this.turnHead, this.elapsed.root);
    fill(this.turnZone, grip, head, this.turnWhy, this.lessonZone, this.happened, this.turnNote, choosing, this.tools);
    this.chooser?.close();
    this.chooser = new Chooser(choosing, {
      board: this.board,
      labels: this.labels,
      ruleset: this.ruleset,
      texts,
      send: (action) => this.#send(action),
      help: this.#help(),
      seat: this.seat ?? 0,
      isQuick: () => seats.wish("quick") === "yes",
      why: seats.of(this.id).lesson ? null : this.#why(),
    });
    await this.#learn();
    const turned = () => this.#redraw().then(() => this.chooser.light());
    narrow.addEventListener("change", turned);
    this.ends.push(() => narrow.removeEventListener("change", turned));
    this.players.offset = Date.parse(this.game.now) - Date.now();
    this.since = Date.now();
    await Promise.all([this.#redraw(), this.log.begin(this.game.version)]);
    if (this.isClosed) return;
    this.#showSituation();
    if (!this.game.settled) {
      this.ends.push(
        follow(app.api, this.id, this.viewer, {
          after: this.game.version,
          hear: (frame) => this.#hear(frame),
          state: (state, problem) => this.#showConnection(state, problem),
        }),
      );
    }
    await openSeals(app.api, this.game);
    if (this.seat !== null && !this.game.settled) subscribe(app.api, this.id, this.seat, this.viewer.token);
  }

  /** Let every part of the board say what it is. */
  #explain() {
    this.explainer?.close();
    this.explainer = null;
    if (!this.guide) return;
    const { guide, texts, app } = this;
    this.explainer = new Explainer(this.board.pane, {
      texts,
      keyOf: (part) => guide.keyOf(part),
      about: (key, part) => guide.thing(key, { view: this.game.view, viewer: this.seat, part }),
      more: (key) => askGuide(app, this.game.ruleset, `things.${key}`),
    });
  }

  /** What the server has to say of moves that cannot be made. */
  #why() {
    return new WhyNot({
      schema: this.ruleset.actions,
      board: this.board,
      labels: this.labels,
      texts: this.texts,
      check: (action) => this.app.api.check(this.id, action, { token: this.viewer.token }),
      more: this.#help().refusal,
    });
  }

  /** What the guide has to say to who chooses a move. */
  #help() {
    const { guide, explainer, app } = this;
    const about = (param, value) => {
      if (param === "type") {
        const action = guide.data.actions[value];
        return action && (() => ({ name: action.name, effect: action.text }));
      }
      const key = typeof value === "string" && value in guide.data.things ? value : null;
      return key && (() => guide.thing(key, { view: this.game.view, viewer: this.seat }));
    };
    return {
      hide: () => explainer?.hide(),
      will: (action) => guide?.confirm(action, this.seat, this.game.view) ?? "",
      about: (kind) => guide?.data.actions[kind]?.text ?? "",
      refusal: (code) => {
        const section = guide?.refusal(code);
        return section ? () => askGuide(app, this.game.ruleset, section) : null;
      },
      explain: (element, param, value) => {
        const telling = guide && about(param, value);
        if (telling) explainer.attach(element, telling);
      },
    };
  }

  /** If this game is a lesson of this browser, its guide stands above the moves. */
  async #learn() {
    const { lesson: held } = seats.of(this.id);
    if (held && this.game.status === "aborted") seats.note(this.id, { lesson: null }); // it is started anew, not resumed
    this.lessonZone.hidden = !held || this.isWatching || this.game.status === "aborted";
    if (this.lessonZone.hidden || this.lesson) return;
    const { LessonGuide } = await import("./parts/lesson.js");
    const { api } = this.app;
    this.lesson = new LessonGuide(this.lessonZone, {
      app: this.app,
      game: this.id,
      ruleset: this.game.ruleset,
      lessons: await api.lessons(this.game.ruleset),
      table: {
        spot: (keys) => this.#spot(keys),
        refresh: () => this.#showSituation(),
        act: async (token, action) => {
          const { version } = await api.act(this.id, action, { token });
          await this.#reached(version);
        },
      },
    });
  }

  /** Point out the parts of the board that a lesson speaks of. */
  #spot(keys) {
    this.spotted = keys;
    const wanted = new Set(keys);
    const parts = this.guide && this.board.svg ? [...this.board.svg.querySelectorAll("*")] : [];
    const found = parts.filter((part) => wanted.has(part.dataset.explain) || (!part.dataset.explain && wanted.has(this.guide.keyOf(part))));
    this.board.spot(found.slice(0, 12));
  }

  /** Wait until this table shows a version. */
  async #reached(version) {
    while (this.game.version < version && !this.isClosed) await later(30);
  }

  #leave() {
    for (const end of this.ends.splice(0)) end();
    this.unshown = [];
  }

  // -- what happens ---------------------------------------------------------------------------------------------------

  #hear(frame) {
    if (frame.version > Math.max(this.game.version, this.unshown.at(-1)?.version ?? 0)) this.unshown.push(frame);
    this.showing ??= this.#showAll().finally(() => (this.showing = null));
    return this.showing;
  }

  /** Show the frames that have come, one after another, so that each move can be seen. */
  async #showAll() {
    const { seat } = this;
    while (this.unshown.length && !this.isClosed && seat === this.seat) {
      if (this.unshown[0].event.actor.seat !== this.seat) await this.playback.turn(this.unshown.length);
      if (this.unshown.length) await this.#apply(this.unshown.shift());
    }
    this.playback.rest();
  }

  async #apply(frame) {
    const wasPlaying = this.game.status === "playing";
    const { event, ...situation } = frame;
    this.game = { ...this.game, ...situation, hash: event.hash ?? this.game.hash };
    this.since = Date.now();
    if (event.hash) seats.witness(this.id, frame.version, event.hash);
    const sentences = this.log.add(frame);
    if (sentences.length) announce(sentences.join(" "));
    const isOwn = this.seat !== null && event.actor.seat === this.seat;
    if (isOwn) this.turnZone.classList.remove("raised");
    if (!isOwn) this.undoable = [];
    else if (event.type === "action_taken") this.undoable.push(frame.version - 1);
    else if (event.type === "taken_back") this.undoable.pop();
    if (sentences.length && !isOwn) this.playback.tell(event.actor.seat ?? null, sentences);
    if (!wasPlaying || event.type !== "action_taken") {
      this.game = await this.#fetch();
      this.players.offset = Date.parse(this.game.now) - Date.now();
      await openSeals(this.app.api, this.game);
    }
    if (!wasPlaying && this.game.status === "playing") return this.#begin();
    const isLatest = !this.unshown.length;
    const isShown = this.unshown.length <= MOST_WAITING && !this.playback.isSkipping;
    if (isLatest || isShown) await this.#redraw(isLatest ? null : frame.version);
    if (isLatest || isShown) this.board.gild(isOwn);
    this.#showSituation();
  }

  /** Show once more what the others did since this seat's last move. */
  #showAgain() {
    const entries = this.log.since(this.seat).map(({ version, seat, text }) => ({ version, seat, sentences: [text] }));
    this.showing ??= this.playback
      .again(entries)
      .then(() => this.chooser.light())
      .finally(() => (this.showing = null))
      .then(() => this.unshown.length && this.#hear(this.unshown.at(-1)));
  }

  /** The game has begun: everyone's name is known now. */
  async #begin() {
    this.#leave();
    if (this.mine.length > 1) {
      this.#cover(this.#nextHere() ?? this.seat);
      return;
    }
    await this.#enter();
  }

  async #redraw(version = null) {
    if (!this.game.view) return this.board.clear();
    const { seat } = this;
    const picture = await this.app.api.board(this.id, this.viewer, {
      version,
      lang: this.app.lang,
      theme: this.app.theme,
      shape: narrow.matches ? "tall" : null,
    });
    if (this.isClosed || seat !== this.seat || this.isCovered) return;
    this.board.show(picture);
    if (this.lesson) this.#spot(this.spotted ?? []);
  }

  /** The key that this seat signs with, or null, and what every signature names. */
  get #signing() {
    const { id: game, seat } = this;
    return [seats.of(game).seats[seat]?.signingKey ?? null, { game, seat, hash: this.game.hash }];
  }

  /** Play an action; it is shown as soon as the server has it. */
  async #send(action) {
    const decision = this.game.decisions[this.seat] ?? null;
    const [key, about] = this.#signing;
    try {
      const signature = await signAction(key, { ...about, decisionHash: this.game.decision_hash, action });
      const answer = await act(this.app.api, this.id, action, { token: this.viewer.token, decision, signature });
      await (answer.event ? this.#hear(answer) : this.#reached(answer.version));
      await this.lesson?.played();
    } catch (problem) {
      if (problem.code === "decision_passed") this.game = { ...(await this.#fetch()) };
      throw problem;
    }
  }

  async #undo() {
    const { version: seen } = this.game;
    const to = Math.max(this.undoable.at(-1) ?? 0, this.game.takeback);
    const [key, about] = this.#signing;
    const signature = await signTakeback(key, { ...about, to });
    await this.#hear(await this.app.api.takeBack(this.id, to, { token: this.viewer.token, seen, signature }));
    announce(this.texts.say("undone"));
  }

  async #resign() {
    this.chooser.why?.forget();
    const [key, about] = this.#signing;
    const signature = await signResignation(key, about);
    await this.app.api.resign(this.id, { token: this.viewer.token, seen: this.game.version, signature });
  }

  /**
   * Leave a seat before the game begins. Nothing may be asked with its token once it is given up: so first this table stops
   * hearing of the game, and finishes showing what it has heard.
   */
  async #vacate(seat) {
    this.waitingZone.inert = true;
    this.#leave();
    try {
      await this.showing;
      await this.app.api.leave(this.id, seat, seats.token(this.id, seat));
    } catch (problem) {
      this.waitingZone.inert = false;
      if (!this.isClosed && !this.isCovered && !this.ends.length) await this.#enter();
      throw problem;
    }
    seats.forget(this.id, seat);
    if (!seats.seatsIn(this.id).length) seats.forget(this.id);
    this.app.go("#/");
  }

  async #try(work) {
    this.refusedAtTable.hidden = true;
    try {
      return await work();
    } catch (problem) {
      this.refusedAtTable.textContent = problem.status ? problem.message : this.texts.say("offline");
      this.refusedAtTable.hidden = false;
      return null;
    }
  }

  // -- what is seen ---------------------------------------------------------------------------------------------------

  #showConnection(state, problem) {
    if (state === "rewound") return this.app.go(location.hash);
    this.connection.dataset.state = state;
    this.connection.textContent =
      state === "refused" ? problem.message : state === "over" ? "" : this.texts.say(`connection_${state}`);
  }

  #showSituation() {
    const { game, texts } = this;
    this.players.show(game, this.seat);
    this.room.dataset.version = String(game.version);
    const isWaiting = game.status === "open" || game.status === "sealing";
    this.waitingZone.hidden = !isWaiting;
    this.boardZone.hidden = !game.view;
    if (isWaiting) this.#showWaiting();
    const isOver = game.status === "ended" || game.status === "aborted";
    if (isOver && !this.lesson) this.#showEnding();
    this.endingZone.hidden = !isOver || Boolean(this.lesson);
    const isMyTurn = this.seat !== null && game.to_act.includes(this.seat) && game.status === "playing";
    const text = this.#momentText(isMyTurn, isOver);
    if (this.moment.textContent !== text) announce(text);
    if (this.moment.textContent && this.moment.textContent !== text) play(isMyTurn ? "turn" : isOver ? "end" : "move");
    badge(isMyTurn && document.hidden);
    if (isMyTurn && this.moment.textContent && this.moment.textContent !== text) {
      const name = this.ruleset.names[this.app.lang][this.game.ruleset];
      notify(texts.say("your_turn_in", { game: name }), this.id);
    }
    this.moment.textContent = text;
    this.room.classList.toggle("my-turn", isMyTurn);
    this.app.title(isMyTurn ? `● ${text}` : text);
    this.turnHead.textContent = isMyTurn ? texts.say("your_move") : text;
    this.turnZone.hidden = isOver || isWaiting || (this.seat === null && !isMyTurn);
    this.#showPhase(isMyTurn);
    const lately = this.log.since(this.seat);
    fill(this.happened, ...lately.map(({ text }) => make("p", {}, text)));
    this.#showTools(isMyTurn, isMyTurn && lately.some(({ seat }) => seat !== null && seat !== this.seat));
    this.elapsed.show(game.status === "playing" && !isMyTurn && game.to_act.length ? this.since : null);
    this.happened.hidden = Boolean(this.lesson);
    const isLatest = !this.unshown.length;
    const offered = isMyTurn ? (game.actions ?? []) : [];
    if (isLatest || !isMyTurn) this.chooser.offer(this.lesson ? this.lesson.offered(offered) : offered);
    else this.chooser.light();
    this.lesson?.draw();
    if (this.lesson) this.turnZone.hidden = false;
    this.#showHandOver(isMyTurn);
    if (isMyTurn && isLatest) {
      if (this.settledAt !== game.version) this.#settle();
      this.settledAt = game.version;
      this.board.reveal(this.turnZone);
    }
  }

  /** On a phone, show the whole list of moves, or again no more of it than is needed. */
  #raise() {
    const isRaised = this.turnZone.classList.toggle("raised");
    this.turnZone.querySelector("#grip").setAttribute("aria-expanded", String(isRaised));
  }

  /** On a phone, let the board end above the sheet: one's own hand and score lie there. */
  #settle() {
    if (!narrow.matches || this.lesson || this.board.pane.dataset.shape !== "tall") return;
    const by = this.boardZone.getBoundingClientRect().bottom - this.turnZone.getBoundingClientRect().top;
    scrollBy({ top: by, behavior: still.matches ? "auto" : "smooth" });
  }

  #showTools(isMyTurn, hasOthersMoves) {
    const { api } = this.app;
    const tell = (work) => () => this.#try(work);
    drawTools(this.tools, {
      game: this.game,
      seat: this.seat,
      texts: this.texts,
      hint: this.hint?.version === this.game.version ? this.hint.text : "",
      names: (seat) => this.labels.sentences.player(seat),
      act: {
        undo: tell(() => this.#undo()),
        again: hasOthersMoves && !still.matches && !this.lesson ? () => this.#showAgain() : null,
        hint: isMyTurn && !this.lesson && this.#isAgainstBots ? tell(() => this.#showHint()) : null,
        pause: tell(() => api.pause(this.id, this.viewer.token)),
        resume: tell(() => api.resume(this.id, this.viewer.token)),
      },
    });
  }

  /** What is being decided now; the guide says it in a sentence, and leads on to its rules. */
  #showPhase() {
    const { game } = this;
    const name = game.status === "playing" ? (game.view?.phase ?? "") : "";
    const text = this.guide?.phase(name) ?? "";
    fill(this.phase, game.status === "playing" ? this.board.moment : "");
    this.turnHead.title = text;
    fill(this.turnWhy, text);
    this.turnWhy.hidden = !text || Boolean(this.lesson);
  }

  #showEnding() {
    const { game, app } = this;
    const again = async () => {
      const { playNow } = await import("./parts/lesson.js");
      const { ruleset, options } = game;
      const { bot } = game.seats.find(({ seat }) => seat !== this.seat);
      await this.#try(() => playNow(app, ruleset, { seats: game.seats.length, options, bot }));
    };
    const viewer = this.mine.length > 1 ? null : this.seat;
    this.ending ??= new Ending(this.endingZone, {
      app,
      ruleset: this.ruleset,
      sentences: this.labels.sentences,
      viewer,
      token: this.viewer.token,
      how: () => this.log.outcome,
      frames: (from, to) => app.api.replay(this.id, this.viewer, { from, to }),
      again: this.#isAgainstBots && again,
    });
    this.ending.show(game);
  }

  /** Is this browser's one seat the only person's? */
  get #isAgainstBots() {
    const others = this.game.seats.filter(({ seat }) => seat !== this.seat);
    return this.seat !== null && this.mine.length === 1 && others.every(({ bot }) => bot);
  }

  /** Have a good move looked for, and point it out. */
  async #showHint() {
    const { version } = this.game;
    const tell = (text) => {
      this.hint = { version, text };
      this.#showSituation();
    };
    tell(this.texts.say("hint_thinking"));
    const hint = await findHint(this.app.api, this.id, this.viewer.token, () => !this.isClosed && this.game.version === version);
    if (!hint) return;
    tell(this.texts.say("hint_is", { move: hint.label }));
    this.board.spot(partsOf(this.board, hint.action));
  }

  #momentText(isMyTurn, isOver) {
    const { game, texts } = this;
    if (isOver) return texts.say(`status_${game.status}`);
    if (game.status !== "playing") return texts.say(`status_${game.status}`);
    if (isMyTurn && this.mine.length < 2) return texts.say("your_move");
    const sentences = this.labels.sentences;
    const who = sentences.grammar.listed(game.to_act.map((seat) => sentences.player(seat)));
    const isThinking = game.to_act.length > 0 && game.to_act.every((seat) => game.seats[seat].bot);
    return texts.say(isThinking ? "thinking" : "turn_of", { who });
  }

  #showWaiting() {
    const { app, texts } = this;
    drawWaiting(this.waitingZone, {
      game: this.game,
      mine: this.mine,
      code: this.game.private ? this.code : null,
      bots: this.ruleset.bots,
      texts,
      act: {
        bot: (seat, bot) =>
          this.#try(() => app.api.sit(this.id, { seat, bot }, { token: seats.token(this.id, this.mine[0]) })),
        here: async (seat, name) => {
          await this.#try(() =>
            sitDown(app.api, this.id, {
              name,
              seat,
              code: this.game.private ? this.code : null,
              ruleset: this.game.ruleset,
            }),
          );
          this.mine = seats.seatsIn(this.id);
        },
        leave: (seat) => this.#try(() => this.#vacate(seat)),
        join: () => app.go(`#/join/${this.id}${this.code ? `/${this.code}` : ""}`),
      },
    });
  }

  // -- several players at one screen ------------------------------------------------------------------------------------

  /** Which seat of this browser is to act next; not the present one, unless it is the only one. */
  #nextHere() {
    const asked = this.mine.filter((seat) => this.game.to_act.includes(seat));
    return asked.find((seat) => seat !== this.seat) ?? asked[0] ?? null;
  }

  #showHandOver(isMyTurn) {
    const next = isMyTurn || this.game.status !== "playing" ? null : this.#nextHere();
    const who = next === null ? "" : this.labels.sentences.player(next);
    fill(
      this.turnNote,
      next !== null &&
        button(this.texts.say("hand_over", { who }), () => this.#cover(next), { kind: "primary", id: "hand-over" }),
    );
  }

  /** Hide everything until this seat's player sits before the screen. */
  #cover(seat) {
    this.#leave();
    this.isCovered = true;
    this.seat = seat;
    this.board.clear();
    this.log?.clear();
    this.chooser?.offer([]);
    this.game = { ...this.game, view: null, actions: [] };
    this.room.hidden = true;
    this.covering.hidden = false;
    const who = this.game.seats[seat].name;
    const show = button(this.texts.say("uncover", { who }), () => this.#uncover(), { kind: "primary", id: "uncover" });
    fill(
      this.covering,
      make("h1", {}, this.texts.say("cover_title", { who })),
      make("p.quiet", {}, this.texts.say("cover_why")),
      show,
    );
    announce(this.texts.say("cover_title", { who }));
    show.focus();
  }

  async #uncover() {
    await this.#try(async () => {
      this.game = await this.#fetch();
      this.isCovered = false;
      this.covering.hidden = true;
      this.room.hidden = false;
      await this.#enter();
      this.root.querySelector(".chooser button")?.focus({ preventScroll: true });
    });
  }
}
