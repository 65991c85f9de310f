// A player's move: what may be done is lit on the board and stands in a list; what was chosen can be taken back until
// it is sent.

import { partOf } from "../board.js";
import { Choice, grammarOf, written } from "../action_choice.js";
import { button, draw, fill, make } from "../elements.js";
import { Turning } from "./tile_preview.js";
import { Ghost } from "./ghost.js";

export class Chooser {
  /**
   * `send(action)` plays an action and returns when it has been played, or throws the problem. `help` has what the guide
   * says: `hide()`, `will(action)`, `about(kind)`, `refusal(code)` opens its section or is null, `explain(element, param, value)`.
   * `isQuick()`: is a move played as soon as it is clear which? `keys` is where keys are heard. `why`, a WhyNot, says why
   * other moves cannot be made; it may be left out.
   */
  constructor(root, { board, labels, ruleset, texts, send, help, seat, isQuick = () => false, keys = document, why = null }) {
    Object.assign(this, { root, board, labels, texts, send, help, isQuick, keys, why });
    this.missing = make("div.why-not", { hidden: true });
    board.onMiss = (part) => this.#now && !this.busy && why?.explain(this.missing, this.#now.choice, this.#around(part));
    this.grammar = grammarOf(ruleset.actions);
    this.turning = new Turning(board);
    this.ghost = new Ghost(board, seat);
    this.history = [];
    this.busy = false;
    this.onKey = (event) => this.#key(event);
    keys.addEventListener("keydown", this.onKey);
  }

  close() {
    this.keys.removeEventListener("keydown", this.onKey);
  }

  /** Escape steps back, R turns a tile, Enter on the board confirms; where somebody types, keys are theirs. */
  #key(event) {
    if (!this.#now || this.busy || event.target.closest?.("input, select, textarea, dialog, details[open]")) return;
    if (event.key === "Escape" && this.history.length > 1) this.back();
    const turned = this.#turned(this.#now.choice);
    if (event.key.toLowerCase() === "r" && turned && !event.ctrlKey && !event.metaKey) this.#turn(turned, event.shiftKey ? -1 : 1);
    const isOnBoard = event.target === document.body || this.board.root.contains(event.target);
    const chosen = turned?.action ?? this.#now.choice.chosen;
    if (event.key === "Enter" && isOnBoard && chosen && this.history.length > 1) this.#play(chosen);
  }

  /** Offer these actions; what was chosen of the very same ones stands. */
  offer(actions) {
    const offered = actions.map(written).join("\n");
    if (offered === this.offered && !this.busy) return this.light();
    this.offered = offered;
    this.busy = false;
    this.why?.forget();
    this.history = actions.length ? [{ choice: Choice.among(actions, this.grammar), marked: [] }] : [];
    this.refusal = null;
    this.draw();
  }

  get #now() {
    return this.history.at(-1) ?? null;
  }

  /** Take a step from the choice at `level` of what was chosen so far: an earlier one lets a player change it freely. */
  #go(choice, element = null, level = this.history.length - 1) {
    this.history.splice(level + 1);
    const { marked } = this.#now;
    this.history.push({ choice, marked: element?.id ? [...marked, element.id] : marked });
    this.refusal = null;
    const { chosen } = choice;
    const isAll = chosen && !choice.options.length;
    if (isAll && this.isQuick()) this.#play(chosen);
    else this.draw({ focus: true });
    this.board.reveal(this.root.parentElement);
  }

  back() {
    if (this.history.length > 1) this.history.pop();
    this.refusal = null;
    this.draw({ focus: true });
  }

  again() {
    this.history.splice(1);
    this.refusal = null;
    this.draw({ focus: true });
  }

  async #play(action) {
    if (this.busy) return;
    this.busy = true;
    this.why?.forget();
    this.draw();
    try {
      await this.send(action);
    } catch (problem) {
      this.refusal = problem.status ? problem : { message: this.texts.say("not_sent"), code: null };
    }
    if (!this.busy) return; // other actions are offered by now
    this.busy = false;
    this.draw({ focus: true });
  }

  // -- the board --------------------------------------------------------------------------------------------------------

  #around(element) {
    const parts = [];
    for (let at = element; at && at !== this.board.svg && at !== this.board.pane; at = at.parentElement) {
      const part = partOf(at);
      if (part.actions || Object.keys(part.names).length) parts.push(part);
    }
    return parts;
  }

  /** What a click on a part leads to: `{choice, level}`; from an earlier step, if it leads nowhere from here. */
  #lead(element) {
    const around = this.#around(element);
    const levels = new Set([this.history.length - 1, this.history.length - 2, 0]);
    for (const level of levels) {
      const from = this.history[level]?.choice;
      const next = from?.click(around);
      if (next && (next.actions.length < from.actions.length || from.actions.length === 1)) return { choice: next, level };
    }
    return null;
  }

  /** Light what can be chosen now; the board has been drawn anew, or something was chosen. */
  light() {
    const now = this.busy ? null : this.#now;
    const marked = new Set(now?.marked ?? []);
    const turned = now && this.#turned(now.choice);
    const chosen = turned?.action ?? now?.choice.chosen ?? null;
    const leads = new Map();
    for (const { element } of now ? this.board.parts() : []) {
      const lead = marked.has(element.id) ? null : this.#lead(element);
      if (lead) leads.set(element, lead);
    }
    const isEarlier = (element) => leads.get(element).level < this.history.length - 1;
    this.board.light(leads.keys(), (element) => this.#go(leads.get(element).choice, element, leads.get(element).level), isEarlier);
    const marks = [...marked].map((id) => this.board.find(id)).filter(Boolean);
    this.board.mark(marks, chosen && !turned && !this.busy && this.history.length > 1 ? () => this.#play(chosen) : null);
    this.turning.show(turned?.action ?? null, turned?.rotation, (by) => this.#turn(turned, by));
    this.ghost.show(turned || this.history.length < 2 ? null : chosen, this.#now?.choice);
  }

  /** The tile that lies ready and can be turned, if nothing but its rotation is open. */
  #turned(choice) {
    if (choice.kind === null || choice.open(choice.kind).join() !== "rotation") return null;
    const rotations = choice.values(choice.kind, "rotation").sort((one, other) => one - other);
    this.rotation = rotations.includes(this.rotation) ? this.rotation : rotations[0];
    return {
      rotations,
      rotation: this.rotation,
      action: choice.actions.find(({ rotation }) => rotation === this.rotation),
    };
  }

  // -- the list ---------------------------------------------------------------------------------------------------------

  draw({ focus = false } = {}) {
    this.help.hide();
    this.light();
    const had = focus || this.root.contains(this.root.getRootNode().activeElement);
    const now = this.#now;
    this.root.hidden = !now;
    if (!now) return fill(this.root);
    const { choice } = now;
    const turned = this.#turned(choice);
    if (!this.busy) this.why?.show(this.missing, choice);
    const chosen = turned?.action ?? choice.chosen;
    const options = turned ? [] : choice.chosen && choice.actions.length === 1 ? [] : choice.options;
    const onBoard = options.length > 0 && options.every((each) => each.param !== "type" && this.#partFor(choice.kind, each));
    this.root.toggleAttribute("data-on-board", onBoard);
    fill(
      this.root,
      this.refusal && this.#refused(),
      make("p.prompt", { id: "prompt" }, this.#prompt(choice, chosen, options, turned)),
      this.#about(choice, chosen, options),
      options.length > 0 && this.#steps(choice),
      turned && this.#turner(turned),
      options.length > 0 && make("ul.options", { "aria-labelledby": "prompt" }, this.#labelled(choice, options)),
      this.why && this.missing,
      make(
        "div.row.confirm",
        {},
        chosen && (this.history.length > 1 || turned || choice.actions.length === 1) && this.#confirming(chosen),
        this.history.length > 1 &&
          button(this.texts.say("back"), () => this.back(), { id: "back", part: "back", disabled: this.busy }),
        this.history.length > 2 &&
          button(this.texts.say("start_over"), () => this.again(), { kind: "plain", disabled: this.busy }),
      ),
    );
    if (had)
      (this.root.querySelector("#confirm") ?? this.root.querySelector(".options button"))?.focus({
        preventScroll: true,
      });
  }

  /** Why the server refused, and where the rules explain it. */
  #refused() {
    const open = this.help.refusal(this.refusal.code);
    return make(
      "p.refusal",
      { role: "alert" },
      this.refusal.message,
      open && [" ", button(this.texts.say("why_rules"), open, { kind: "plain", id: "refusal-rules" })],
    );
  }

  /** What the move will do, once it is clear which; before that, what this kind of move is. */
  #about(choice, chosen, options) {
    if (chosen && (this.history.length > 1 || !options.length)) return make("p.will", { id: "will" }, this.help.will(chosen));
    const text = choice.kind === null ? "" : this.help.about(choice.kind);
    return text && make("p.why.quiet.small", {}, text);
  }

  #confirming(action) {
    const text = this.labels.action(action, this.grammar.get(action.type));
    const tick = draw(
      "svg",
      { viewBox: "0 0 24 24", class: "tick-sign", "aria-hidden": "true" },
      draw("path", { d: "M4 13l5 5L20 6" }),
    );
    return make(
      "button.primary",
      {
        type: "button",
        id: "confirm",
        part: "confirm",
        disabled: this.busy,
        "aria-label": this.texts.say("confirm", { action: text }),
        onclick: () => this.#play(action),
      },
      tick,
      text,
    );
  }

  #prompt(choice, chosen, options, turned) {
    if (turned) return this.texts.say("turn_it");
    if (!options.length) return this.texts.say(this.history.length > 1 ? "sure" : "only_one");
    const { kind } = choice;
    if (kind === null) return this.texts.say("choose_kind");
    const { param } = options[0];
    const at = (choice.progress.get(kind)?.[param] ?? []).length ?? 0;
    const key = chosen ? "choose_more" : "choose_value";
    return this.texts.say(key, { kind: this.labels.kind(kind), param: this.labels.param(kind, param, at) });
  }

  /** What has been chosen so far, as far as it is clear what it means. */
  #steps(choice) {
    const { kind } = choice;
    if (this.history.length < 2) return null;
    const taken = kind ? Object.entries(choice.progress.get(kind) ?? {}) : [];
    const { lists } = kind ? this.grammar.get(kind) : { lists: new Set() };
    const items = taken.flatMap(([name, value]) =>
      (lists.has(name) ? value : [value]).map((item, at) => [
        this.labels.param(kind, name, at),
        this.labels.value(kind, name, item),
      ]),
    );
    return make(
      "ol.steps",
      { "aria-label": this.texts.say("so_far") },
      kind && make("li", {}, this.labels.kind(kind)),
      items.map(([name, value]) => make("li", {}, make("span.quiet", {}, `${name} `), value)),
    );
  }

  #labelled(choice, options) {
    const texts = options.map(({ param, value }) =>
      param === "type" ? this.labels.kind(value) : this.labels.value(choice.kind, param, value),
    );
    const often = new Map();
    for (const text of texts) often.set(text, (often.get(text) ?? 0) + 1);
    const number = new Map();
    return options.map((option, index) => {
      let text = texts[index];
      if (often.get(text) > 1) {
        number.set(text, (number.get(text) ?? 0) + 1);
        text = `${text} (${number.get(texts[index])})`;
      }
      const part = option.param === "type" ? null : this.#partFor(choice.kind, option);
      const shine = (lit) => this.board.point(lit ? part : null);
      const pick = button(text, () => this.#go(choice.take(option), part), {
        disabled: this.busy,
        part: "option",
        data: { param: option.param, value: written(option.value) },
        onmouseenter: () => shine(true),
        onmouseleave: () => shine(false),
        onfocus: () => shine(true),
        onblur: () => shine(false),
      });
      this.help.explain(pick, option.param, option.value);
      return make("li", {}, pick);
    });
  }

  #partFor(kind, { param, value }) {
    const text = written(value);
    const marked = new Set(this.#now.marked);
    return (
      this.board
        .parts()
        .find(
          ({ names, actions, element }) =>
            names[param] === text && (!actions || actions.includes(kind)) && !marked.has(element.id),
        )?.element ?? null
    );
  }

  #turn({ rotations, rotation }, by) {
    this.rotation = rotations[(rotations.indexOf(rotation) + by + rotations.length) % rotations.length];
    this.draw();
    this.root.querySelector(by > 0 ? "#turn-right" : "#turn-left")?.focus({ preventScroll: true });
  }

  #turner(turned) {
    const disabled = turned.rotations.length < 2;
    return make(
      "div.row.turner",
      { role: "group", "aria-label": this.texts.say("turn_it") },
      button(`↺ ${this.texts.say("turn_left")}`, () => this.#turn(turned, -1), { id: "turn-left", disabled }),
      make("output", { "aria-live": "polite" }, `${turned.rotation}°`),
      button(`↻ ${this.texts.say("turn_right")}`, () => this.#turn(turned, 1), { id: "turn-right", disabled }),
    );
  }
}
