// How a game ended, and where to go from there.

import { button, make } from "../elements.js";
import { drawScores } from "./scores.js";

/** `viewer` is the seat that looks, or null; `again` starts another game like this one, for who can. */
export function drawEnding(root, { again = null, ...about }) {
  const { game, texts } = about;
  const links = make(
    "p.row",
    {},
    again && button(texts.say("play_again"), again, { kind: "primary", id: "play-again" }),
    make("a.button", { href: `#/games/${game.id}/replay` }, texts.say("to_replay")),
    game.settled && game.links.review && make("a.button", { href: `#/games/${game.id}/replay?review=1` }, texts.say("to_review")),
    game.settled && make("a.button", { href: `#/games/${game.id}/audit` }, texts.say("to_audit")),
    !again && make("a.button", { href: `#/create?ruleset=${game.ruleset}` }, texts.say("play_again")),
  );
  drawScores(root, about);
  root.append(links);
}
