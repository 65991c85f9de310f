// Joining a game: by its number, or by an invitation that carries a code.

import { fill, make, seatMark } from "../elements.js";
import { ownName } from "../parts/name_field.js";
import { sitDown } from "../seals.js";
import * as seats from "../seat_storage.js";

export async function show(root, { id, code = null }, app) {
  const { api, texts } = app;
  const [own = null] = seats.seatsIn(id);
  const game = await api.game(id, { token: own === null ? null : seats.token(id, own), code });
  const ruleset = (await api.rulesets()).find((each) => each.id === game.ruleset);
  const isFree = ({ name, bot }) => name === null && !bot;
  app.title(texts.say("join_title", { game: ruleset.names[app.lang] }));
  const title = make("h1", {}, texts.say("join_title", { game: ruleset.names[app.lang] }));
  const people = make(
    "ul.chairs",
    {},
    game.seats.map((seat) =>
      make(
        `li${isFree(seat) ? ".free" : ""}`,
        {},
        seatMark(seat.seat),
        make("span.who", {}, isFree(seat) ? texts.say("free") : texts.sitter(seat)),
      ),
    ),
  );
  if (own !== null || game.status !== "open") {
    const [text, href, label] =
      own !== null
        ? ["you_sit", `#/games/${id}`, "to_table"]
        : ["already_begun", `#/watch/${id}${code ? `/${code}` : ""}`, "watch"];
    fill(
      root,
      make(
        "section.panel.notice",
        {},
        title,
        people,
        make("p", {}, texts.say(text)),
        make("a.button.primary", { href }, texts.say(label)),
      ),
    );
    return;
  }
  const name = ownName("name");
  const wrong = make("p.refusal", { role: "alert", hidden: true });
  const sit = make("button.primary", { id: "sit" }, texts.say("sit"));
  const join = async (event) => {
    event.preventDefault();
    sit.disabled = true;
    wrong.hidden = true;
    try {
      seats.setWish("name", name.value.trim());
      await sitDown(api, id, { name: name.value.trim(), code, ruleset: game.ruleset });
      app.go(`#/games/${id}`);
    } catch (problem) {
      wrong.textContent = problem.status ? problem.message : texts.say("offline");
      wrong.hidden = false;
      sit.disabled = false;
    }
  };
  fill(
    root,
    make(
      "form.join.panel",
      { onsubmit: join },
      title,
      people,
      make("label.field", {}, texts.say("your_name"), name),
      make("p.quiet.small", {}, texts.say("join_why")),
      wrong,
      make(
        "div.row",
        {},
        sit,
        make("a.button", { href: `#/watch/${id}${code ? `/${code}` : ""}` }, texts.say("watch")),
      ),
    ),
  );
  name.focus();
}
