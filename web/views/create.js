// A new game: which one, by which rules, who plays, and with how much time.

import { fill, make, seatMark } from "../elements.js";
import { emblem } from "../parts/emblems.js";
import { guideButton } from "../parts/guide_button.js";
import { nameHere, ownName } from "../parts/name_field.js";
import { drawOptions } from "../parts/options.js";
import { sitDown } from "../seals.js";
import * as seats from "../seat_storage.js";
import { Sentences } from "../words.js";

export async function show(root, params, app) {
  const { api, texts } = app;
  app.title(texts.say("create_title"));
  const rulesets = await api.rulesets();
  const form = new Form(root, app, rulesets);
  await form.choose(rulesets.some(({ id }) => id === params.ruleset) ? params.ruleset : rulesets[0].id);
  form.fillIn(params.with);
}

/** Who sits in the other seats, by what an address asks for (`/new/GAME?with=friend`). */
const OPPONENTS = { quick: "greedy", strong: "strong", friend: "open" };

class Form {
  constructor(root, app, rulesets) {
    Object.assign(this, { root, app, rulesets, texts: app.texts });
    const { texts } = this;
    this.rules = make("fieldset", { hidden: true });
    this.help = guideButton(app, () => this.ruleset.id, { text: texts.say("rules"), id: "rules", kind: "plain" });
    this.sitters = make("ul.sitters");
    this.count = make("select", { id: "seats", onchange: () => this.#drawSitters() });
    this.name = ownName("name");
    this.private = make("input", { type: "checkbox", id: "private" });
    this.host = make("input", { type: "password", id: "host", autocomplete: "off" });
    this.hosting = make("label.field", { hidden: true }, texts.say("host_token"), this.host);
    this.wrong = make("p.refusal", { role: "alert", hidden: true });
    this.begin = make("button.primary", { id: "begin" }, texts.say("begin"));
    this.clock = this.#clockFields();
    fill(
      root,
      make(
        "form.create",
        { onsubmit: (event) => this.#submit(event) },
        make("h1", {}, texts.say("create_title")),
        make(
          "fieldset",
          {},
          make("legend", {}, texts.say("which_game")),
          make(
            "div.boxes",
            {},
            rulesets.map((each) => this.#box(each)),
          ),
          make("p.row.glance", {}, (this.glance = make("span.quiet")), this.help),
        ),
        this.rules,
        make(
          "fieldset",
          {},
          make("legend", {}, texts.say("who_plays")),
          make(
            "div.settings",
            {},
            make("label.field", {}, texts.say("your_name"), this.name),
            make("label.field", {}, texts.say("seats"), this.count),
          ),
          make("p"),
          this.sitters,
        ),
        make("fieldset", {}, make("legend", {}, texts.say("clock")), this.clock.fields),
        make("label.tick", {}, this.private, texts.say("private_game")),
        this.wrong,
        this.hosting,
        make("div.row", {}, this.begin, make("a.button", { href: "#/" }, texts.say("home"))),
      ),
    );
  }

  #box(ruleset) {
    const { id, names, players: { min, max } } = ruleset;
    const input = make("input", { type: "radio", name: "ruleset", value: id, onchange: () => this.choose(id) });
    const number = this.texts.say(min === max ? "just_players" : "n_players", { min, max });
    return make(
      "label",
      {},
      input,
      emblem(ruleset),
      make("strong", {}, names[this.app.lang]),
      make("span.quiet.small", {}, number),
    );
  }

  /** Take this game; its options and seats follow. The last choice counts, in whatever order the answers come. */
  async choose(id) {
    this.root.querySelector(`input[value="${id}"]`).checked = true;
    const asked = (this.asked = this.#fetch(id));
    const [ruleset, guide] = await asked;
    if (asked !== this.asked) return;
    this.ruleset = ruleset;
    const { min, max } = ruleset.players;
    fill(
      this.count,
      Array.from({ length: max - min + 1 }, (_, more) => make("option", { value: min + more }, String(min + more))),
    );
    fill(this.glance, guide?.about ?? "");
    this.help.hidden = !guide;
    const sentences = new Sentences(ruleset, this.app.lang, []);
    this.options = drawOptions(this.rules, ruleset.options, {
      name: (word, path) => sentences.name(word, path),
      texts: this.texts,
      guide: guide?.options ?? {},
    });
    this.#drawSitters();
  }

  /** Seat those that an address asks for; a game with a friend is private. Its button is all that is left to press. */
  fillIn(opponents) {
    const kind = OPPONENTS[opponents];
    if (!kind) return;
    for (const select of this.sitters.querySelectorAll("select"))
      if ([...select.options].some(({ value }) => value === kind)) select.value = kind;
    this.private.checked = opponents === "friend";
    this.begin.focus();
  }

  /** A ruleset and its guide; null where it has none. */
  async #fetch(id) {
    const ruleset = await this.app.api.ruleset(id);
    return [ruleset, ruleset.guide && (await this.app.api.guide(id))];
  }

  #drawSitters() {
    this.options.fit(Number(this.count.value));
    const had = [...this.sitters.querySelectorAll("select")].map(({ value }) => value);
    const kinds = ["open", "here", ...this.ruleset.bots.toReversed()];
    const rows = Array.from({ length: Number(this.count.value) - 1 }, (_, index) => {
      const seat = index + 1;
      const name = nameHere(this.texts, { hidden: true });
      const kind = make(
        "select",
        {
          id: `sitter-${seat}`,
          "aria-label": `${this.texts.say("sitter")} (${seat + 1})`,
          onchange: (event) => {
            name.hidden = event.target.value !== "here";
            name.required = !name.hidden;
          },
        },
        kinds.map((each) => make("option", { value: each }, this.#sitter(each))),
      );
      kind.value = had[index] ?? "open";
      return make("li", {}, seatMark(seat), kind, name);
    });
    fill(this.sitters, make("li", {}, seatMark(0), make("span", {}, this.texts.say("sitter_me"))), rows);
  }

  /** What stands for a kind of player: for a bot its name, and how it plays. */
  #sitter(kind) {
    const { texts } = this;
    return texts.maybe(`sitter_${kind}`) ?? `${texts.say(`bot_${kind}`)} (${texts.say(`bot_${kind}_what`)})`;
  }

  #clockFields() {
    const { texts } = this;
    const number = (id, value, most) =>
      make("input", { type: "number", id, min: id === "seconds-more" ? 0 : 1, max: most, value, required: true });
    const [turn, total, more] = [
      number("seconds-turn", 90, 604800),
      number("minutes-total", 30, 10080),
      number("seconds-more", 10, 3600),
    ];
    const labelled = [
      ["seconds_turn", turn],
      ["minutes_total", total],
      ["seconds_more", more],
    ].map(([key, input]) => make("label.field", { hidden: true }, texts.say(key), input));
    const shown = { none: [], turn: [0], total: [1, 2] };
    const kind = make(
      "select",
      {
        id: "clock",
        "aria-label": texts.say("clock"),
        onchange: () => labelled.forEach((label, index) => (label.hidden = !shown[kind.value].includes(index))),
      },
      [
        ["none", "clock_none"],
        ["turn", "clock_turn_kind"],
        ["total", "clock_total_kind"],
      ].map(([value, key]) => make("option", { value }, texts.say(key))),
    );
    const read = () =>
      ({
        none: null,
        turn: { turn_seconds: Number(turn.value) },
        total: { total_seconds: Number(total.value) * 60, increment_seconds: Number(more.value) },
      })[kind.value];
    return { fields: make("div.settings", {}, make("div.field", {}, kind), labelled), read };
  }

  async #submit(event) {
    event.preventDefault();
    this.begin.disabled = true;
    this.wrong.hidden = true;
    try {
      this.app.go(`#/games/${await this.#create()}`);
    } catch (problem) {
      const fields = problem.errors ? ` ${JSON.stringify(problem.errors)}` : "";
      this.wrong.textContent = problem.status ? problem.message + fields : this.texts.say("offline");
      this.wrong.hidden = false;
      this.begin.disabled = false;
      if (problem.code === "unauthorized" || problem.code === "forbidden") this.#askForHost();
    }
  }

  /** Here only hosts create games: let one say who it is. The token is used and never kept. */
  #askForHost() {
    this.hosting.hidden = false;
    this.host.focus();
  }

  /** Create the game, sit down, and seat whom this browser may seat. Everyone's share of chance is sealed. */
  async #create() {
    const { api } = this.app;
    const name = this.name.value.trim();
    seats.setWish("name", name);
    await this.asked; // the game that was chosen may still be on its way
    const terms = {
      ruleset: this.ruleset.id,
      options: this.options.read(),
      seats: Number(this.count.value),
      private: this.private.checked,
      clock: this.clock.read(),
    };
    const game = await api.create(terms, { token: this.host.value.trim() || null });
    const about = { ruleset: this.ruleset.id, code: game.join_code ?? null };
    const mine = await sitDown(api, game.id, { name, seat: 0, ...about });
    const token = seats.token(game.id, mine);
    const rows = [...this.sitters.querySelectorAll("li")].slice(1);
    for (const [index, row] of rows.entries()) {
      const kind = row.querySelector("select").value;
      if (kind === "here")
        await sitDown(api, game.id, { name: row.querySelector("input").value.trim(), seat: index + 1, ...about });
      else if (kind !== "open") await api.sit(game.id, { seat: index + 1, bot: kind }, { token });
    }
    return game.id;
  }
}
