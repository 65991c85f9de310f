// The lobby: games that wait for players, games that are played, those of this browser, and how others ended.

import { button, fill, make, seatMark } from "../elements.js";
import { emblem } from "../parts/emblems.js";
import { guideButton } from "../parts/guide_button.js";
import { duration } from "../parts/players.js";
import { openSeals } from "../seals.js";

const EVERY = 3000;

export async function show(root, params, app) {
  const { texts } = app;
  const halls = Object.fromEntries(
    ["mine", "open", "playing", "results", "standings"].map((name) => [name, make(`section.panel.${name}`)]),
  );
  const shelf = make("section.shelf", { "aria-label": texts.say("which_game") });
  const wrong = make("p.refusal", { role: "alert", hidden: true });
  fill(
    root,
    make(
      "div.hero",
      {},
      make("h1", {}, texts.say("stele")),
      make("p", {}, texts.say("what_is")),
      make("a.button.primary", { href: "#/create", id: "create" }, texts.say("create")),
    ),
    wrong,
    shelf,
    make("div.halls", {}, halls.mine, halls.open, byCode(app), halls.playing, halls.results, halls.standings),
  );
  const rulesets = await app.api.rulesets();
  const names = Object.fromEntries(rulesets.map(({ id, names: called }) => [id, called[app.lang]]));
  fill(
    shelf,
    rulesets.map((ruleset) => box(ruleset, app, wrong)),
  );
  const lobby = new Lobby(app, halls, names);
  await lobby.draw();
  const timer = setInterval(() => document.hidden || lobby.draw().catch(() => {}), EVERY);
  return () => clearInterval(timer);
}

/** A game on the shelf: its board, what it is about, and the ways to begin. */
function box(ruleset, app, wrong) {
  const { id, names, guide, players: { min, max } } = ruleset;
  const { texts, lang, theme } = app;
  const game = names[lang];
  const number = texts.say(min === max ? "just_players" : "n_players", { min, max });
  const minutes = guide && texts.say("minutes", { short: guide.minutes[0], long: guide.minutes[1] });
  const play = async (event) => {
    event.target.disabled = true;
    try {
      const { playNow } = await import("../parts/lesson.js");
      await playNow(app, id, { seats: min });
    } catch (problem) {
      wrong.textContent = problem.status ? problem.message : texts.say("offline");
      wrong.hidden = false;
      event.target.disabled = false;
    }
  };
  return make(
    "article.game-card",
    { data: { ruleset: id } },
    guide &&
      make("img.board-thumb", {
        src: `/v1/rulesets/${id}/board.svg?lang=${lang}&theme=${theme}`,
        alt: texts.say("example_board", { game }),
        loading: "lazy",
        width: 320,
        height: 200,
      }),
    make("div.head", {}, emblem(ruleset), make("h2", {}, game), guide && guideButton(app, id)),
    make("p.quiet.small", {}, [minutes, number, guide && texts.say(`weight_${guide.weight}`)].filter(Boolean).join(" · ")),
    guide && make("p.about", {}, guide.about[lang]),
    make(
      "div.row",
      {},
      button(texts.say("play_now"), play, { kind: "primary", "aria-label": `${texts.say("play_now")}: ${game}` }),
      guide && make("a.button", { href: `#/learn/${id}`, "aria-label": `${texts.say("learn")}: ${game}` }, texts.say("learn")),
      make("a.button", { href: `#/create?ruleset=${id}`, "aria-label": `${texts.say("with_friends")}: ${game}` }, texts.say("with_friends")),
    ),
  );
}

class Lobby {
  #drawn = new Map();

  constructor(app, halls, names) {
    Object.assign(this, { app, halls, names, texts: app.texts });
  }

  async draw() {
    const { api } = this.app;
    const [open, playing, results, standings] = await Promise.all([
      api.games({ status: "open", limit: 30 }),
      api.games({ status: "playing", limit: 12 }),
      api.games({ status: "ended", limit: 12 }),
      api.standings({ limit: 20 }),
    ]);
    this.#hall("mine", "your_games", await this.#mine(), (game) => this.#mineRow(game));
    const hasSomeone = ({ seats }) => seats.some(({ name, bot }) => name !== null && !bot);
    this.#hall("open", "open_games", open.items.filter(hasSomeone), (game) => this.#row(game, this.#joining(game)));
    this.#hall("playing", "playing_games", playing.items, (game) =>
      this.#row(game, this.#to(`#/watch/${game.id}`, "watch")),
    );
    this.#hall(
      "results",
      "results",
      results.items.filter(({ outcome }) => outcome),
      (result) => this.#result(result),
    );
    this.#standings(standings.items);
  }

  /** Draw a hall, if anything in it has changed: who reads or tabs through it is not disturbed. */
  #hall(name, title, items, row) {
    const now = JSON.stringify(items);
    if (this.#drawn.get(name) === now) return;
    this.#drawn.set(name, now);
    const focused = this.halls[name].contains(document.activeElement)
      ? document.activeElement.getAttribute("href")
      : null;
    this.halls[name].hidden = !items.length;
    fill(
      this.halls[name],
      make("h2", {}, this.texts.say(title)),
      make("ul.games", {}, items.map(row)),
    );
    if (focused)
      [...this.halls[name].querySelectorAll("a")].find((each) => each.getAttribute("href") === focused)?.focus();
  }

  #to(href, text, kind = "") {
    return make(`a.button${kind}`, { href }, this.texts.say(text));
  }

  #joining(game) {
    return this.app.seats.seatsIn(game.id).length
      ? this.#to(`#/games/${game.id}`, "look")
      : this.#to(`#/join/${game.id}`, "join", ".primary");
  }

  #row(game, ...ends) {
    const about = make(
      "div.about",
      {},
      make("span.what", {}, this.names[game.ruleset] ?? game.ruleset),
      this.#people(game),
      this.#notes(game),
      ends.slice(0, -1),
    );
    return make("li", { data: { game: game.id } }, about, ends.at(-1));
  }

  #people({ seats }) {
    const sitting = seats.filter(({ name, bot }) => name !== null || bot);
    return make(
      "span.people",
      {},
      sitting.map((each) => make("span", {}, seatMark(each.seat), ` ${this.texts.sitter(each)}`)),
    );
  }

  #notes(game) {
    const free = game.seats.filter(({ name, bot }) => name === null && !bot).length;
    const notes = [
      free && game.status === "open" && this.texts.count("seats_free", free),
      game.clock && this.#clock(game.clock),
      game.private && this.texts.say("private"),
    ];
    return make("span.quiet.small", {}, notes.filter(Boolean).join(" · "));
  }

  #clock({ turn_seconds: turn, total_seconds: total, increment_seconds: more }) {
    if (turn) return this.texts.say("clock_turn", { time: duration(turn * 1000, this.texts.say("days")) });
    const members = { time: duration(total * 1000, this.texts.say("days")), more: duration((more ?? 0) * 1000) };
    return this.texts.say(more ? "clock_total_more" : "clock_total", members);
  }

  async #mine() {
    const { api, seats } = this.app;
    const held = seats
      .games()
      .filter(([, { seats: mine }]) => Object.keys(mine).length)
      .slice(0, 20);
    const games = await Promise.all(
      held.map(async ([id]) => {
        const [seat] = seats.seatsIn(id);
        try {
          const game = await api.cached(`/v1/games/${id}`, { token: seats.token(id, seat) });
          await openSeals(api, game);
          return {
            id,
            ruleset: game.ruleset,
            status: game.status,
            seats: game.seats,
            to_act: game.to_act,
            clock: game.clock,
            private: game.private,
          };
        } catch (problem) {
          return problem.status === 404 || problem.status === 401 ? { id, gone: true } : null;
        }
      }),
    );
    for (const { id } of games.filter((game) => game?.gone)) seats.forget(id);
    const isMyTurn = (game) => seats.seatsIn(game.id).some((seat) => game.to_act.includes(seat));
    return games
      .filter((game) => game && !game.gone)
      .map((game) => ({ ...game, mine: isMyTurn(game) }))
      .sort((one, other) => Number(other.mine) - Number(one.mine));
  }

  #mineRow(game) {
    const isOver = game.status === "ended" || game.status === "aborted";
    return this.#row(
      game,
      game.mine
        ? make("span.flag", {}, this.texts.say("your_turn"))
        : make("span.quiet.small", {}, this.texts.say(`status_${game.status}`)),
      this.#to(`#/games/${game.id}`, isOver ? "look" : "play", game.mine ? ".primary" : ""),
    );
  }

  #result({ id: game, ruleset, seats, outcome, created }) {
    const scores = outcome.scores.map((score, seat) =>
      make(
        "span",
        {},
        seatMark(seat),
        ` ${this.texts.sitter(seats[seat]) ?? this.texts.say("somebody")} `,
        make(outcome.winners.includes(seat) ? "strong" : "span", {}, this.#ended(seats[seat], score)),
      ),
    );
    const day = new Date(created).toLocaleDateString(this.app.lang, { day: "numeric", month: "short" });
    const about = make(
      "div.about",
      {},
      make("span.what", {}, this.names[ruleset] ?? ruleset),
      make("span.people", {}, scores),
      make("span.quiet.small", {}, day),
    );
    return make("li", { data: { game } }, about, this.#to(`#/games/${game}/replay`, "replay"));
  }

  /** How a seat ended: its score, or that it gave up. */
  #ended({ withdrawn }, score) {
    return withdrawn ? this.texts.say(`withdrawn_${withdrawn}`) : String(score);
  }

  #standings(items) {
    this.halls.standings.hidden = !items.length;
    if (!items.length) return;
    const heads = ["player", "played", "won_games", "points"].map((key, index) =>
      make(`th${index ? ".n" : ""}`, { scope: "col" }, this.texts.say(key)),
    );
    const rows = items.map(({ ref, name, played, won, points }) =>
      make(
        "tr",
        {},
        make("td", {}, name ?? ref),
        [played, won, points].map((number) => make("td.n", {}, String(number))),
      ),
    );
    fill(
      this.halls.standings,
      make("h2", {}, this.texts.say("standings")),
      make("table", {}, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows)),
    );
  }
}

/** A form for a link that came by other ways, or for a game's number and code. */
function byCode(app) {
  const { texts } = app;
  const what = make("input", { type: "text", id: "by-code", required: true, autocomplete: "off" });
  const code = make("input", { type: "text", id: "code", autocomplete: "off" });
  const wrong = make("p.refusal", { role: "alert", hidden: true });
  const go = (event) => {
    event.preventDefault();
    const text = what.value.trim();
    const link = /#\/(join|watch|games)\/([\w-]+)(?:\/([\w-]+))?/.exec(text);
    const id = link?.[2] ?? /\/g\/([\w-]+)/.exec(text)?.[1] ?? /^[\w-]+$/.exec(text)?.[0];
    wrong.hidden = Boolean(id);
    if (!id) return void (wrong.textContent = texts.say("not_a_link"));
    const known = link?.[1] === "join" || link?.[1] === "watch" ? link[3] : null;
    const secret = code.value.trim() || known;
    app.go(`#/${link?.[1] ?? "join"}/${id}${secret && link?.[1] !== "games" ? `/${secret}` : ""}`);
  };
  return make(
    "section.panel",
    {},
    make("h2", {}, texts.say("by_code")),
    make(
      "form.settings",
      { onsubmit: go },
      make("label.field", {}, texts.say("by_code_what"), what),
      make("label.field", {}, texts.say("code"), code),
      make("button", {}, texts.say("join")),
      wrong,
    ),
  );
}
