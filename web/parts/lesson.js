// A guided lesson: tells one idea at a time, offers the moves that the step asks for, and plays the scripted others.

import { button, fill, make } from "../elements.js";
import "../learn_texts.js";
import { loadStylesheet } from "../stylesheets.js";
import * as seats from "../seat_storage.js";

loadStylesheet(new URL("./guide.css", import.meta.url));

const fits = (pattern, action) =>
  Object.entries(pattern).every(([name, value]) => JSON.stringify(action[name]) === JSON.stringify(value));

/** Start a lesson as a private game of this browser, and go to its table. */
export async function startLesson(app, ruleset, lesson) {
  const { api, texts } = app;
  const name = seats.wish("name") || texts.say("you_name");
  const players = Array.from({ length: lesson.seats }, (_, seat) => ({
    name: seat === (lesson.seat ?? 0) ? name : texts.say("lesson_guide"),
  }));
  const game = await api.create({ ruleset, lesson: lesson.id, players, private: true });
  const tokens = game.seats.map(({ token }) => token);
  const own = lesson.seat ?? 0;
  seats.keep(game.id, own, { token: tokens[own], name });
  seats.note(game.id, { ruleset, code: game.join_code, lesson: { id: lesson.id, tokens, step: 0 } });
  app.go(`#/games/${game.id}`);
}

/** Play a real game against a bot: create it, sit down, and seat the bot. */
export async function playNow(app, ruleset, { seats: number = 2, options = {}, bot = "greedy", hints = false } = {}) {
  const { api, texts } = app;
  const { sitDown } = await import("../seals.js");
  const game = await api.create({ ruleset, options, seats: number });
  const name = seats.wish("name") || texts.say("you_name");
  const own = await sitDown(api, game.id, { name, seat: 0, ruleset });
  if (hints) seats.note(game.id, { hints: true });
  const token = seats.token(game.id, own);
  for (let seat = 1; seat < number; seat++) await api.sit(game.id, { seat, bot }, { token });
  app.go(`#/games/${game.id}`);
}

/** Which lessons this browser has played to their ends: `ruleset/id`. */
export const finished = () => new Set((seats.wish("lessons") ?? "").split(" ").filter(Boolean));

export class LessonGuide {
  /** `table` has `spot(keys)`, `refresh()` and `act(seat, action)`; `lessons` are all those of the game. */
  constructor(root, { app, game, ruleset, lessons, table }) {
    Object.assign(this, { root, app, game, ruleset, lessons, table, texts: app.texts });
    const held = seats.of(game).lesson;
    this.lesson = lessons.find(({ id }) => id === held.id);
    this.tokens = held.tokens;
    this.at = held.step;
    this.busy = false;
  }

  get step() {
    return this.lesson.steps[this.at] ?? null;
  }

  /** Of the legal actions, those that the step asks for; none while the learner reads. */
  offered(actions) {
    const wanted = this.step?.do ?? [];
    return this.busy ? [] : actions.filter((action) => wanted.some((pattern) => fits(pattern, action)));
  }

  /** The learner has made the move of this step. */
  async played() {
    await this.#next();
  }

  /** Play what the others do, and go on to the next step. */
  async #next() {
    this.busy = true;
    this.draw();
    for (const { seat, action } of this.step.then ?? []) await this.table.act(this.tokens[seat], action);
    this.at += 1;
    this.busy = false;
    seats.note(this.game, { lesson: { ...seats.of(this.game).lesson, step: this.at } });
    if (!this.step) seats.setWish("lessons", [...finished().add(`${this.ruleset}/${this.lesson.id}`)].join(" "));
    this.draw();
    this.table.refresh();
  }

  draw() {
    const { texts, lesson, step } = this;
    const now = step ?? lesson.end;
    const isReading = step && !step.do?.length;
    fill(
      this.root,
      make(
        "p.lesson-head.small",
        {},
        make("strong", {}, lesson.title),
        step ? ` · ${texts.say("lesson_step", { at: this.at + 1, of: lesson.steps.length })}` : ` · ${texts.say("lesson_over")}`,
      ),
      make("p.lesson-text", { "aria-live": "polite", id: "lesson-text" }, now.text),
      this.busy && make("p.quiet.small", {}, texts.say("lesson_others")),
      !this.busy && step && !isReading && make("p.quiet.small", {}, texts.say("lesson_do")),
      !this.busy && isReading && button(texts.say("lesson_next"), () => this.#next(), { kind: "primary", id: "lesson-next" }),
      !step && this.#ending(),
    );
    this.table.spot(this.busy ? [] : (now.show ?? []));
    if (isReading && !this.busy) this.root.querySelector("#lesson-next").focus({ preventScroll: true });
  }

  #ending() {
    const { app, texts, lessons, lesson, ruleset } = this;
    const following = lessons[lessons.indexOf(lesson) + 1];
    return make(
      "div.row",
      {},
      following && button(texts.say("lesson_following"), () => startLesson(app, ruleset, following), { id: "lesson-following" }),
      button(texts.say("lesson_play"), () => playNow(app, ruleset, { ...lesson.game, hints: true }), {
        kind: "primary",
        id: "lesson-play",
      }),
    );
  }
}
