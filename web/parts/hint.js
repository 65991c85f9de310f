// A good move, which the server looks for where bots sit at all other seats.

import { written } from "../action_choice.js";

const PAUSE = 600; // milliseconds between two looks whether it is there

/** Ask for a hint and wait for it: `{action, label}`; null as soon as nobody wants it any more. */
export async function findHint(api, id, token, isWanted) {
  await api.askHint(id, token);
  while (isWanted()) {
    const hint = await api.hint(id, token);
    if (hint.action) return isWanted() ? hint : null;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  return null;
}

/** The parts of a board that an action names. */
export function partsOf(board, action) {
  const values = Object.entries(action).filter(([name]) => name !== "type");
  const parts = board.parts().filter(({ actions }) => !actions || actions.includes(action.type));
  const fits = (name, item) => parts.find(({ names }) => names[name] === written(item))?.element;
  const items = (value) => (Array.isArray(value) ? [value, ...value] : [value]);
  return [...new Set(values.flatMap(([name, value]) => items(value).map((item) => fits(name, item))))].filter(Boolean);
}
