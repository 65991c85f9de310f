// Says why something cannot be done now: asks the server about actions that are not legal, and shows its sentences.
// What a player could look for is guessed from the schema and from what the board names; no rule stands here.

import { written } from "../action_choice.js";
import { button, fill, make } from "../elements.js";
import "../table_texts.js";

const PAUSE = 400; // milliseconds before the server is asked
const MOST = 3; // reasons that are shown at once
const TRIES = 8; // actions that the server is asked about at once
/** Refusals that tell a player nothing: the action belongs to another moment, or makes no sense at all. */
const TRIVIAL = new Set(["wrong_phase", "malformed_action", "not_in_this_variant", "unknown_action", "not_to_act"]);

export class WhyNot {
  #asked = new Map();

  /** `check(action)` asks whether an action is legal: `{legal, code, detail}`; `more(code)` opens the rules, or is null. */
  constructor({ schema, board, labels, texts, check, more }) {
    Object.assign(this, { board, labels, texts, check, more });
    this.schemas = new Map(schema.anyOf.map((each) => [each.properties.type.const, each]));
  }

  /** Forget what was asked, and ask no more: the game goes on. */
  forget() {
    clearTimeout(this.wait);
    this.#asked.clear();
  }

  /** Show in a corner of the list what a player may miss among the options, once they have had time to look. */
  show(root, choice) {
    clearTimeout(this.wait);
    fill(root);
    root.hidden = true;
    this.wait = setTimeout(async () => {
      const shown = this.wait;
      const reasons = await this.reasons(choice);
      if (shown === this.wait && reasons.length) this.#draw(root, reasons);
    }, PAUSE);
  }

  /** Say why a part of the board that was clicked leads nowhere. */
  async explain(root, choice, parts) {
    const reason = parts.length && (await this.reasonFor(choice, parts));
    if (!reason) return;
    clearTimeout(this.wait);
    this.wait = null; // what is asked for the list would take its place
    if (!root.childElementCount) this.#draw(root, []);
    this.#tell(root, reason);
  }

  /** Greyed actions; one that is clicked tells its reason. */
  #draw(root, reasons) {
    const greyed = reasons.map((reason) =>
      make(
        "li",
        {},
        button(reason.text, () => this.#tell(root, reason), { kind: "greyed", title: reason.detail, data: { why: reason.code } }),
      ),
    );
    fill(
      root,
      reasons.length > 0 && make("ul", { "aria-label": this.texts.say("not_now") }, greyed),
      make("p.why-told.small", { role: "status", hidden: true }),
    );
    root.hidden = false;
  }

  #tell(root, { text, code, detail }) {
    const told = root.querySelector(".why-told");
    const more = this.more(code);
    const label = this.texts.say("not_now");
    fill(
      told,
      make("strong", {}, `${text}. ${label}:`),
      ` ${detail} `,
      more && button(this.texts.say("why_rules"), more, { kind: "plain" }),
    );
    told.hidden = false;
  }

  /** What a player may miss among the options of a choice: `[{text, code, detail}]`, a few with different reasons. */
  async reasons(choice) {
    const isOpen = choice.kind === null || choice.steps.length === 0;
    const missed = isOpen ? this.#kinds(choice) : this.#values(choice);
    const found = await Promise.all(missed.slice(0, TRIES).map(({ action, text }) => this.#ask(action, text)));
    const distinct = new Map(found.filter(Boolean).map((each) => [each.detail, each]));
    return [...distinct.values()].slice(0, MOST);
  }

  /** Why a part of the board that was clicked leads nowhere: `{text, code, detail}` or null. */
  async reasonFor(choice, parts) {
    const named = Object.assign({}, ...parts.map(({ names }) => names).toReversed());
    const meant = parts.flatMap(({ actions }) => actions ?? []);
    const isOpen = choice.kind === null || choice.steps.length === 0;
    const kinds = isOpen ? [...this.schemas.keys()].filter((kind) => !meant.length || meant.includes(kind)) : [choice.kind];
    for (const kind of kinds) {
      const name = this.#required(kind).find((each) => each in named);
      const base = name && this.#example(kind, choice, { [name]: named[name] });
      const reason = base && (await this.#ask(base, this.labels.kind(kind)));
      if (reason) return reason;
    }
    return null;
  }

  #required(kind) {
    return (this.schemas.get(kind).required ?? []).filter((name) => name !== "type");
  }

  /** Kinds of action that are not among the legal ones. */
  #kinds(choice) {
    const others = [...this.schemas.keys()].filter((kind) => !choice.kinds.includes(kind));
    return others
      .map((kind) => ({ action: this.#example(kind, choice, {}), text: this.labels.kind(kind) }))
      .filter(({ action }) => action);
  }

  /** Values of the parameter that is asked for now which are not among the options. */
  #values(choice) {
    const { kind, options } = choice;
    const param = options[0]?.param;
    if (!param || param === "type" || choice.grammar.get(kind).lists.has(param)) return [];
    const open = new Set(options.map(({ value }) => written(value)));
    return this.#candidates(kind, param)
      .filter((value) => !open.has(written(value)))
      .map((value) => ({ action: { ...choice.actions[0], [param]: value }, text: this.labels.value(kind, param, value) }));
  }

  /** Values that a parameter could have: those of its schema, or those that parts of the board name. */
  #candidates(kind, param) {
    const schema = this.schemas.get(kind).properties[param];
    if (schema.enum) return schema.enum;
    if (schema.type === "boolean") return [false, true];
    const named = this.board
      .parts()
      .filter(({ names, actions }) => param in names && (!actions || actions.includes(kind)))
      .map(({ names }) => read(names[param], schema));
    return [...new Map(named.map((value) => [written(value), value])).values()];
  }

  /** An action of a kind, with these values (as parts of the board write them) and else the first that comes to mind. */
  #example(kind, choice, values) {
    const { properties } = this.schemas.get(kind);
    const legal = choice.actions.find(({ type }) => type === kind);
    const action = { ...(legal ?? { type: kind }) };
    for (const name of this.#required(kind)) {
      if (name in values) action[name] = read(values[name], properties[name]);
      else if (!legal) {
        const { type, minItems, maxItems, items } = properties[name];
        if (type === "array" && !(minItems === 2 && maxItems === 2)) {
          const first = items?.enum?.[0];
          if (first === undefined) return null;
          action[name] = Array(minItems ?? 1).fill(first);
        } else {
          const [first = type === "integer" ? (properties[name].minimum ?? 0) : undefined] = this.#candidates(kind, name);
          if (first === undefined) return null;
          action[name] = first;
        }
      }
    }
    return action;
  }

  async #ask(action, text) {
    const key = written(action);
    if (!this.#asked.has(key)) this.#asked.set(key, this.check(action).catch(() => null));
    const answer = await this.#asked.get(key);
    return answer && !answer.legal && !TRIVIAL.has(answer.code) ? { text, code: answer.code, detail: answer.detail } : null;
  }
}

/** A value as it stands in an action, from what a part of the board says. */
function read(text, { type }) {
  if (type === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
