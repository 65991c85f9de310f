// A seat that comes from elsewhere: by its recovery link, from another device, or from somebody who hands it over.

import { fill, make } from "../elements.js";
import { ownName } from "../parts/name_field.js";
import * as seats from "../seat_storage.js";
import { newSigningKey } from "../signing.js";
import "../table_texts.js";

export async function show(root, { id, seat: number, token = null, code = null, key = null, give = null }, app) {
  const { api, texts } = app;
  const seat = Number(number);
  history.replaceState(null, "", "#/seat"); // what lets people in does not stay in the address
  if (give) return ask(root, { id, seat, code }, app);
  fill(root, make("p.quiet", {}, texts.say("device_opening")));
  const found = token ?? (await api.takeOver(id, seat, { code })).token;
  await enter(app, id, seat, { token: found, signingKey: key ?? undefined });
}

/** Keep a seat, and go to its table. */
async function enter(app, id, seat, held) {
  const game = await app.api.game(id, { token: held.token });
  if (game.you !== seat) throw new Error(app.texts.say("not_found"));
  seats.keep(id, seat, { name: game.seats[seat].name, ...held });
  seats.note(id, { ruleset: game.ruleset, ...(game.join_code ? { code: game.join_code } : {}) });
  app.go(`#/games/${id}`);
}

/** Ask for the name of who takes over the seat. */
function ask(root, { id, seat, code }, app) {
  const { api, texts } = app;
  const name = ownName("name");
  const wrong = make("p.refusal", { role: "alert", hidden: true });
  const take = async (event) => {
    event.preventDefault();
    wrong.hidden = true;
    try {
      seats.setWish("name", name.value.trim());
      const keys = await newSigningKey();
      const about = { code, name: name.value.trim(), ...(keys ? { public_key: keys.publicKey } : {}) };
      const { token } = await api.takeOver(id, seat, about);
      await enter(app, id, seat, { token, name: name.value.trim(), signingKey: keys?.signingKey });
    } catch (problem) {
      wrong.textContent = problem.status ? problem.message : texts.say("offline");
      wrong.hidden = false;
    }
  };
  fill(
    root,
    make(
      "form.join.panel",
      { onsubmit: take },
      make("h1", {}, texts.say("takeover_title")),
      make("label.field", {}, texts.say("your_name"), name),
      wrong,
      make("button.primary", { id: "take-over" }, texts.say("takeover")),
    ),
  );
  name.focus();
}
