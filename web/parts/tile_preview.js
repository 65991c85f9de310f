// A tile that lies ready on its slot, turned as it will be: drawn on the board from the one in the hand.

import { draw } from "../elements.js";

export class Turning {
  constructor(board) {
    this.board = board;
    this.shown = null;
  }

  /** Show the tile of an action on its slot, turned by so many degrees; a click calls `turn`. Nothing without an action. */
  show(action, rotation = 0, turn = () => {}) {
    this.shown?.remove();
    this.shown = null;
    const tile = action && this.#part("tile", action.tile);
    const slot = action && this.#part("slot", action.slot);
    if (!tile || !slot) return;
    const from = tile.getBBox();
    const to = this.board.extent(slot);
    const scale = Math.min(to.width, to.height) / Math.max(from.width, from.height);
    const copy = tile.cloneNode(true);
    for (const { name } of [...copy.attributes]) copy.removeAttribute(name);
    copy.setAttribute("transform", `translate(${-(from.x + from.width / 2)} ${-(from.y + from.height / 2)})`);
    const centre = `translate(${to.x + to.width / 2} ${to.y + to.height / 2})`;
    this.shown = draw(
      "g",
      { class: "ready", transform: `${centre} rotate(${rotation}) scale(${scale.toFixed(3)})` },
      copy,
    );
    this.shown.addEventListener("click", (event) => (event.stopPropagation(), turn(1)));
    this.shown.addEventListener("wheel", (event) => (event.preventDefault(), turn(Math.sign(event.deltaY) || 1)), { passive: false });
    this.board.svg.append(this.shown);
  }

  #part(name, value) {
    return this.board.parts().find(({ names }) => names[name] === String(value))?.element ?? null;
  }
}
