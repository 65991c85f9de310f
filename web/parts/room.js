// The room around a table: where everything of a game stands on the page, and its menu.

import { button, make } from "../elements.js";
import * as seats from "../seats.js";
import { link, watching } from "./waiting.js";

/** The zones of a game called `name`; `about` says `id` and `code` of its link, and how to `resign`, for who can. */
export function makeRoom(name, texts, about) {
  const zones = {
    moment: make("p.moment", { id: "moment" }),
    phase: make("p.phase.quiet"),
    connection: make("p.connection", { role: "status" }),
    refusedAtTable: make("p.refusal", { role: "alert", hidden: true }),
    playersList: make("ul.players", { "aria-label": texts.say("players") }),
    boardZone: make("section.board", { "aria-label": texts.say("board") }),
    waitingZone: make("section.panel.waiting", { hidden: true }),
    endingZone: make("section.panel.ending", { hidden: true, tabindex: -1 }),
    happened: make("p.happened.quiet", { tabindex: 0 }),
    turnZone: make("section.panel.turn", { "aria-label": texts.say("your_move") }),
    logZone: make("section.panel.story"),
    zooming: make("div.zoom"),
    covering: make("section.panel.cover", { hidden: true }),
  };
  const bar = make(
    "header.bar",
    {},
    make("h1", {}, name),
    zones.moment,
    zones.connection,
    zones.zooming,
    menu(texts, about),
  );
  const middle = make("div.middle", {}, zones.waitingZone, zones.endingZone, zones.boardZone);
  const side = make("aside.side", {}, zones.playersList, zones.turnZone, zones.logZone);
  const room = make("div.table", {}, bar, zones.phase, zones.refusedAtTable, make("div.where", {}, middle, side));
  return { ...zones, room };
}

function menu(texts, { id, code, resign }) {
  const quick = make("input", {
    type: "checkbox",
    checked: seats.wish("quick") === "yes",
    onchange: (event) => seats.setWish("quick", event.target.checked ? "yes" : null),
  });
  const inside = make(
    "div.panel",
    {},
    link(watching(id, code), texts.say("watch_link"), texts),
    resign && make("label.tick", {}, quick, texts.say("quick")),
    make("p", {}, make("a", { href: `#/games/${id}/replay` }, texts.say("to_replay"))),
    resign && resigning(texts, resign),
  );
  return make("details.menu", {}, make("summary", { "aria-label": texts.say("more") }, "⋯"), inside);
}

/** A button that asks once more before it gives the game up. */
function resigning(texts, resign) {
  let asked = false;
  const giveUp = button(
    texts.say("resign"),
    () => {
      if (asked) return resign();
      asked = true;
      giveUp.textContent = texts.say("resign_sure");
    },
    { kind: "danger", id: "resign" },
  );
  return giveUp;
}
