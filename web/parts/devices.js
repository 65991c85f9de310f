// A seat elsewhere: a link that brings it back, one for another device with a code to scan, and one that gives it away.

import { button, draw, fill, make } from "../elements.js";
import * as seats from "../seat_storage.js";
import { link } from "./link.js";
import "../table_texts.js";

/** Addresses of a seat; what lets people in stands after the `#`, where no server reads it. */
const address = (game, seat, members) => {
  const given = Object.entries(members).filter(([, value]) => value);
  return `${location.origin}/#/seat/${game}/${seat}?${new URLSearchParams(given)}`;
};

/** The link with which a player comes back to a seat, whatever becomes of this browser. */
export function recoveryLink(game, seat) {
  const { token, signingKey: key } = seats.of(game).seats[seat];
  return address(game, seat, { token, key });
}

/** What a player should keep when a seat is taken. */
export const keepsake = (game, seat, texts) =>
  make(
    "details.keepsake",
    {},
    make("summary", {}, texts.say("keep_seat")),
    make("p.quiet.small", {}, texts.say("keep_seat_why")),
    link(recoveryLink(game, seat), texts.say("recovery_link"), texts),
  );

/** The code of a text, to be scanned. */
async function scanned(text) {
  const { modules, outline } = await import("../qr.js");
  const rows = modules(text);
  if (!rows) return null;
  const size = rows.length + 8;
  return draw(
    "svg",
    { viewBox: `0 0 ${size} ${size}`, class: "qr", "aria-hidden": "true" },
    draw("rect", { width: size, height: size, fill: "#fff" }),
    draw("path", { d: outline(rows), fill: "#000" }),
  );
}

/** Open a panel in which a seat is taken along, or given away: `kind` is "other_device" or "give_away". */
export async function openSeatPanel(app, game, seat, kind) {
  const { api, texts } = app;
  const { token, signingKey } = seats.of(game).seats[seat];
  const { code } = await api.handOver(game, seat, token);
  const isOwn = kind === "other_device";
  const target = address(game, seat, isOwn ? { code, key: signingKey } : { code, give: "1" });
  const dialog = make("dialog.panel.seat-panel", { "aria-labelledby": "seat-panel", onclose: () => dialog.remove() });
  fill(
    dialog,
    make("h2", { id: "seat-panel" }, texts.say(kind)),
    make("p", {}, texts.say(`${kind}_why`)),
    await scanned(target),
    link(target, texts.say(isOwn ? "device_link" : "give_away_link"), texts),
    isOwn && keepsake(game, seat, texts),
    button(texts.say("close_panel"), () => dialog.close(), { kind: "primary" }),
  );
  document.body.append(dialog);
  dialog.showModal();
}
