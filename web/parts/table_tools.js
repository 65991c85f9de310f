// What a player can do at a table beside moving: undo, have a good move shown, pause and go on.

import { button, fill, make } from "../elements.js";
import "../table_texts.js";

/** Draw the tools of a seat; `hint` is what there is to say of a good move; `act` has
 * `undo()`, `pause()` and `resume()`, and, where they are possible, `again()` and `hint()`. */
export function drawTools(root, { game, seat, texts, hint, names, act }) {
  const isPlaying = game.status === "playing" && seat !== null;
  const { paused, pause_agreed: agreed = [] } = game;
  const mayPause = isPlaying && game.clock && !paused && !agreed.includes(seat);
  const mayResume = isPlaying && paused?.by === "players";
  const asking = agreed.filter((each) => each !== seat).map((each) => names(each));
  const tools = [
    isPlaying && game.takeback && !paused && button(`↶ ${texts.say("undo")}`, act.undo, { id: "undo" }),
    act.hint && !hint && button(texts.say("hint"), act.hint, { id: "hint" }),
    act.again && button(`↺ ${texts.say("show_again")}`, act.again, { kind: "plain", id: "show-again" }),
    mayResume && button(texts.say("resume"), act.resume, { kind: "primary", id: "resume" }),
    mayPause && asking.length > 0 && button(texts.say("pause_agree"), act.pause, { id: "pause-agree" }),
  ].filter(Boolean);
  const note = paused
    ? `${texts.say("paused")} ${isPlaying && !mayResume ? texts.say("paused_by_host") : ""}`
    : mayPause && asking.length > 0
      ? texts.say("pause_asked", { who: asking.join(", ") })
      : "";
  fill(root, hint && make("p.hint", { role: "status" }, hint), note && make("p.pause-note", { role: "status" }, note), tools.length > 0 && make("div.row", {}, tools));
  root.hidden = !root.childElementCount;
}
