// What stands on buttons: kinds of actions, their parameters and values, in the words of the game and of its board.

import { labelOf } from "../board.js";
import { written } from "../action_choice.js";

export class Labels {
  /** `sentences` has the words of the game, `board` the parts that have titles, `texts` the page's own words. */
  constructor(ruleset, sentences, board, texts) {
    this.ruleset = ruleset;
    this.sentences = sentences;
    this.board = board;
    this.texts = texts;
  }

  #named(word, path) {
    const { names, nouns } = this.sentences;
    const keys = [`${path}.${word}`, word];
    if (keys.some((key) => Object.hasOwn(names, key))) return this.sentences.name(word, path);
    if (keys.some((key) => Object.hasOwn(nouns, key)) || Object.hasOwn(nouns, word.replace(/\d+$/, "*")))
      return capital(this.sentences.noun(word, path).bare);
    return null;
  }

  kind(kind) {
    return this.#named(kind, "action") ?? plain(kind);
  }

  /** What a parameter is called; of a list that is chosen in order, the place of its next item. */
  param(kind, name, at = 0) {
    const schema = this.ruleset.actions.anyOf.find(({ properties }) => properties.type.const === kind)?.properties[name];
    const item = schema?.["x-slots"]?.[at];
    if (item) return this.#named(item, name) ?? plain(item);
    return this.#named(name, kind) ?? this.texts.maybe(`param_${name}`) ?? plain(name);
  }

  value(kind, name, value) {
    if (typeof value === "boolean")
      return this.#named(String(value), name) ?? this.texts.say(value ? "yes" : "no");
    if (name === "rotation") return `${value}°`;
    if (typeof value === "string") return this.#named(value, name) ?? this.#onBoard(kind, name, value) ?? plain(value);
    return this.#onBoard(kind, name, value) ?? this.#told(name, value);
  }

  #onBoard(kind, name, value) {
    const text = written(value);
    const part = this.board
      .parts()
      .find(({ names, actions }) => names[name] === text && (!actions || actions.includes(kind)));
    const label = part && labelOf(part.element);
    return label && capital(label);
  }

  #told(name, value) {
    if (Array.isArray(value) && value.length === 2)
      return this.texts.say("cell", { column: "ABCDEFGHIJ"[value[0]] ?? value[0], row: value[1] + 1 });
    if (Array.isArray(value)) return value.join(", ");
    if (value === null || typeof value !== "object") return `${this.#named(name, name) ?? plain(name)} ${value}`;
    return Object.entries(value)
      .map(([key, item]) =>
        typeof item === "number"
          ? `${item} × ${this.#named(key, name) ?? plain(key)}`
          : `${this.#named(key, name) ?? plain(key)}`,
      )
      .join(", ");
  }

  /** A whole action: its kind and its values; `grammar` says which parameters it has, and which are lists. */
  action(action, { names, lists }) {
    const values = names
      .filter((name) => name in action)
      .map((name) =>
        (lists.has(name) ? action[name] : [action[name]]).map((item) => this.value(action.type, name, item)).join(", "),
      )
      .filter((text) => text);
    return [this.kind(action.type), ...values].join(" · ");
  }
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const plain = (id) => capital(id.replaceAll("_", " "));
