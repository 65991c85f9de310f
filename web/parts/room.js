// The room around a table: where everything of a game stands on the page, and its menu.

import { announce, button, make } from "../elements.js";
import { isOn, turn } from "../notifications.js";
import * as seats from "../seat_storage.js";
import { play } from "../sounds.js";
import { SPEEDS } from "./playback.js";
import { link } from "./link.js";
import { watching } from "./waiting_room.js";

/** The zones of a game called `name`; `about` says `id` and `code` of its link; and, for who sits there, how to
 * `resign`, to open the `panel(kind)` of a seat, and to `pause` where there is a clock. */
export function makeRoom(name, texts, about, help) {
  const zones = {
    moment: make("p.moment", { id: "moment" }),
    phase: make("p.phase.quiet"),
    connection: make("p.connection", { role: "status" }),
    refusedAtTable: make("p.refusal", { role: "alert", hidden: true }),
    playersList: make("ul.players", { "aria-label": texts.say("players") }),
    caption: make("div.caption", { hidden: true, role: "status" }),
    boardZone: make("section.board", { "aria-label": texts.say("board") }),
    waitingZone: make("section.panel.waiting", { hidden: true }),
    endingZone: make("section.panel.ending", { hidden: true, tabindex: -1 }),
    happened: make("div.happened.quiet", { tabindex: 0 }),
    lessonZone: make("div.lesson", { hidden: true }),
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
    help,
    menu(texts, about),
  );
  const middle = make("div.middle", {}, zones.waitingZone, zones.endingZone, zones.caption, zones.boardZone);
  const side = make("aside.side", {}, zones.playersList, zones.turnZone, zones.logZone);
  const room = make("div.table", {}, bar, zones.phase, zones.refusedAtTable, make("div.where", {}, middle, side));
  return { ...zones, room };
}

function menu(texts, { id, code, resign, panel, pause }) {
  const quick = make("input", {
    type: "checkbox",
    checked: seats.wish("quick") === "yes",
    onchange: (event) => seats.setWish("quick", event.target.checked ? "yes" : null),
  });
  const sound = make("input", {
    type: "checkbox",
    id: "sound",
    checked: seats.wish("sound") === "yes",
    onchange: (event) => {
      seats.setWish("sound", event.target.checked ? "yes" : null);
      play("turn");
    },
  });
  const closing = (act) => () => {
    details.open = false;
    act();
  };
  const inside = make(
    "div.panel",
    {},
    link(watching(id, code), texts.say("watch_link"), texts),
    resign && make("label.tick", {}, quick, texts.say("quick")),
    make("label.tick", {}, sound, texts.say("sound")),
    resign && make("label.tick", {}, notifying(texts), texts.say("notify")),
    make("label.field", {}, texts.say("pace"), pace(texts)),
    pause && button(texts.say("pause_ask"), closing(pause), { id: "pause" }),
    panel && button(texts.say("other_device"), closing(() => panel("other_device")), { id: "other-device" }),
    panel && button(texts.say("give_away"), closing(() => panel("give_away")), { id: "give-away" }),
    make("p", {}, make("a", { href: `#/games/${id}/replay` }, texts.say("to_replay"))),
    make("p", {}, make("a", { href: "#/" }, texts.say("home"))),
    resign && resigning(texts, resign),
  );
  const details = make("details.menu", {}, make("summary", { "aria-label": texts.say("more") }, "⋯"), inside);
  closeByItself(details);
  return details;
}

/** Whether the browser tells that it is one's turn; it asks its reader first. */
function notifying(texts) {
  const input = make("input", { type: "checkbox", id: "notify", checked: isOn() });
  input.addEventListener("change", async () => {
    const wished = input.checked;
    input.checked = await turn(wished);
    if (wished && !input.checked) announce(texts.say("notify_refused"));
  });
  return input;
}

/** How fast the moves of others are shown. */
function pace(texts) {
  const select = make(
    "select",
    { id: "pace", onchange: (event) => seats.setWish("pace", event.target.value) },
    Object.keys(SPEEDS).map((speed) => make("option", { value: speed }, texts.say(`pace_${speed}`))),
  );
  select.value = seats.wish("pace", "normal");
  return select;
}

/** A menu closes on Escape and on a click outside it, for as long as it is part of the page. */
function closeByItself(details) {
  const close = (event) => {
    if (!details.isConnected) {
      document.removeEventListener("click", close);
      document.removeEventListener("keydown", close);
    } else if (details.open && (event.type === "click" ? !details.contains(event.target) : event.key === "Escape")) {
      details.open = false;
      if (event.type === "keydown") details.querySelector("summary").focus();
    }
  };
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    document.addEventListener("click", close);
    document.addEventListener("keydown", close);
  });
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
