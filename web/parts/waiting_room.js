// A game that waits for players: who sits, how to invite others, bots for the seats that are free.

import { button, fill, make, seatMark } from "../elements.js";
import { keepsake } from "./devices.js";
import { link } from "./link.js";
import { nameHere } from "./name_field.js";

/** The address that invites to a game, which other pages preview; what lets people in stands after the `#`, where no server reads it. */
export const invitation = (id, code) => `${location.origin}/g/${id}#/join/${id}${code ? `/${code}` : ""}`;
export const watching = (id, code) => `${location.origin}/g/${id}#/watch/${id}${code ? `/${code}` : ""}`;

/** A button that asks for the name of someone else before this screen. */
function seatHere(seat, texts, act) {
  const name = nameHere(texts, { required: true });
  const form = make(
    "form.row",
    {
      hidden: true,
      onsubmit: (event) => {
        event.preventDefault();
        if (name.value.trim()) act.here(seat, name.value.trim());
      },
    },
    name,
    make("button.primary", {}, texts.say("sit")),
  );
  const ask = button(
    texts.say("seat_here"),
    () => {
      form.hidden = false;
      ask.hidden = true;
      name.focus();
    },
    { data: { here: seat } },
  );
  return [ask, form];
}

/** Draw the room in which players wait. `act` has `bot(seat)`, `here(seat)` and `leave(seat)`. */
export function drawWaiting(root, { game, mine, code, bots, texts, act }) {
  const free = game.seats.filter(({ name, bot }) => name === null && !bot);
  fill(
    root,
    make("h2", {}, texts.say(game.status === "sealing" ? "sealing" : "waiting_title")),
    game.status === "sealing" && make("p.quiet", {}, texts.say("sealing_why")),
    make(
      "ul.chairs",
      {},
      game.seats.map(({ seat, name, bot }) => {
        const isFree = name === null && !bot;
        return make(
          `li${isFree ? ".free" : ""}`,
          { data: { seat } },
          seatMark(seat),
          make(
            "span.who",
            {},
            isFree ? texts.say("free") : texts.sitter({ name, bot }),
            bot && texts.sitter({ name, bot }) === name && make("span.quiet.small", {}, ` ${texts.say(`bot_${bot}`)}`),
          ),
          game.seals[seat] === "sealed" &&
            game.status === "sealing" &&
            make("span.quiet.small", {}, texts.say("seal_closed")),
          isFree &&
            mine.length > 0 &&
            bots.map((level) =>
              button(texts.say(`bot_${level}`), () => act.bot(seat, level), { data: { bot: level } }),
            ),
          isFree && mine.length > 0 && seatHere(seat, texts, act),
          isFree && !mine.length && button(texts.say("sit_here"), () => act.join(), { kind: "primary" }),
          mine.includes(seat) &&
            game.status === "open" &&
            button(texts.say("leave"), () => act.leave(seat), { kind: "plain" }),
        );
      }),
    ),
    free.length > 0 && link(invitation(game.id, code), texts.say("invite"), texts),
    mine.length > 0 && keepsake(game.id, mine[0], texts),
    free.length > 0 && link(watching(game.id, code), texts.say("watch_link"), texts),
  );
}
