// The lobby: games that wait for players, games that are played, and those of this browser.

import { fill, make } from "../elements.js";

export async function show(root, params, app) {
  fill(root, make("h1", {}, app.texts.say("lobby")));
  return () => {};
}
