// Shows on the board what a move will put there, before it is sent: a pale copy of what lies in the hand or supply, or
// the mark of the player.

import { draw, seatShape } from "../elements.js";

const PLACES = ["space", "slot", "to", "site"]; // parameters that say where something will lie
const THINGS = ["building", "tile", "bonus", "nation", "card"]; // parameters that say what will lie there

export class Ghost {
  constructor(board, seat) {
    Object.assign(this, { board, seat });
    this.shown = null;
  }

  /** Show what this action will put where; nothing without an action. */
  show(action) {
    this.shown?.remove();
    this.shown = null;
    if (!action) return;
    const copies = Array.isArray(action.cards) ? this.#ordered(action) : [this.#single(action)];
    this.shown = draw("g", { class: "ghosts", "aria-hidden": "true" }, copies.filter(Boolean));
    this.board.svg?.append(this.shown);
  }

  /** Things that are laid one after another: each at the place that its index names. */
  #ordered({ cards, type }) {
    const used = new Set();
    return cards.map((card, at) => {
      const thing = this.#part("cards", card, type, (each) => !used.has(each));
      used.add(thing);
      const place = this.#part(`cards-${at}`, null, type) ?? this.#part("cartouche", at + 1, type);
      return thing && place && this.#copy(thing, place);
    });
  }

  #single(action) {
    const name = PLACES.find((each) => each in action);
    const place = name && this.#part(name, action[name], action.type);
    if (!place) return null;
    const what = THINGS.find((each) => each in action && each !== name);
    const thing = what && this.#part(what, action[what], action.type, (each) => !each.contains(place));
    return thing ? this.#copy(thing, place) : this.#mark(place);
  }

  #part(name, value, kind, fits = () => true) {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const found = this.board
      .parts()
      .find(
        ({ names, actions, element }) =>
          name in names && (value === null || names[name] === text) && (!actions || actions.includes(kind)) && fits(element),
      );
    return found?.element ?? null;
  }

  #copy(thing, place) {
    const from = thing.getBBox();
    const to = this.board.extent(place);
    const scale = Math.min(to.width / from.width, to.height / from.height, 1.4);
    const copy = thing.cloneNode(true);
    for (const each of [copy, ...copy.querySelectorAll("*")])
      for (const { name } of [...each.attributes]) if (name === "id" || name.startsWith("data-")) each.removeAttribute(name);
    copy.removeAttribute("transform");
    const centre = `translate(${to.x + to.width / 2} ${to.y + to.height / 2}) scale(${scale.toFixed(3)})`;
    const origin = `translate(${-(from.x + from.width / 2)} ${-(from.y + from.height / 2)})`;
    return draw("g", { class: "ghost", transform: `${centre} ${origin}` }, copy);
  }

  /** A piece of the player's own. */
  #mark(place) {
    const { x, y, width, height } = this.board.extent(place);
    const side = Math.min(width, height) * 0.62;
    const at = `translate(${x + width / 2 - side / 2} ${y + height / 2 - side / 2}) scale(${side / 24})`;
    return draw("g", { class: `ghost seat-${this.seat % 4}`, transform: at }, seatShape(this.seat));
  }
}
