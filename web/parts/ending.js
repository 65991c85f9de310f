// The end of a game as an occasion: who won, how and why, the score sheet, a rematch, the review, a link to share.

import { button, fill, make, seatMark } from "../elements.js";
import "../table_texts.js";
import { link } from "./link.js";
import { Rematch } from "./rematch.js";
import { ReviewRequest } from "./review_request.js";
import { scoreSheet } from "./score_sheet.js";

export class Ending {
  /**
   * `viewer` is the seat that looks, or null; `how()` tells the end in a sentence; `frames(from, to)` fetches what
   * happened; `again` starts another game like this one, for who can.
   */
  constructor(root, { app, ruleset, sentences, viewer, token, how, frames, again }) {
    Object.assign(this, { root, app, ruleset, sentences, viewer, token, how, frames, again, texts: app.texts });
    this.sheet = make("div.sheet");
  }

  close() {
    this.asking?.close();
    this.rematch?.close();
  }

  show(game) {
    const isNew = this.game === undefined;
    this.game = game;
    if (game.settled && game.links.review) {
      const found = () => () => this.app.go(`#/games/${game.id}/replay?review=1`);
      this.asking ??= new ReviewRequest({ app: this.app, game, viewer: () => ({ token: this.token }), found });
    }
    if (game.links.rematch && this.viewer !== null) this.rematch ??= new Rematch({ app: this.app, game, seat: this.viewer, token: this.token, names: (seat) => this.sentences.player(seat) });
    fill(this.root, game.outcome ? this.#result() : this.#calledOff(), this.#ways(), this.asking?.root, this.#sharing());
    if (isNew && game.outcome && this.#hasScores) this.#showSheet();
  }

  get #hasScores() {
    return this.game.outcome.reason !== "resigned" && this.game.outcome.reason !== "timed_out";
  }

  #calledOff() {
    const { game, texts } = this;
    const why = texts.maybe(`aborted_${game.abort_reason}`) ?? game.abort_reason ?? "";
    return [make("h2", {}, texts.say("status_aborted")), make("p", {}, why)];
  }

  #result() {
    const { game, texts, viewer, sentences } = this;
    const { winners } = game.outcome;
    const isMine = viewer !== null && winners.includes(viewer);
    const isShared = winners.length > 1;
    const who = sentences.grammar.listed(winners.map((seat) => sentences.player(seat)));
    const title = winners.length ? texts.say(isShared ? "won_together" : "won", { who }) : texts.say("nobody_won");
    const own = viewer !== null && winners.length && texts.say(isMine ? (isShared ? "you_share" : "you_won") : "you_lost");
    this.root.dataset.result = own ? (isMine ? "won" : "lost") : "seen";
    return [
      make("h2", {}, own || title),
      make("p.how", {}, this.#why()),
      make("ol.scores", {}, this.#order().map((seat) => this.#line(seat, winners.includes(seat)))),
      this.sheet,
    ];
  }

  /** How it ended, and why, in one sentence. */
  #why() {
    const { game, texts, viewer, sentences } = this;
    const left = game.seats.find(({ withdrawn }) => withdrawn);
    if (this.#hasScores || !left) return this.how() || sentences.name(game.outcome.reason, "outcome.reason");
    const how = left.withdrawn === "resigned" ? "resigning" : "time";
    return left.seat === viewer ? texts.say(`lost_by_${how}`) : texts.say(`won_by_${how}`, { who: sentences.player(left.seat) });
  }

  #order() {
    const { winners, scores } = this.game.outcome;
    const rank = (seat) => (winners.includes(seat) ? 1 : 0);
    const seats = scores.map((_, seat) => seat);
    return seats.sort((one, other) => rank(other) - rank(one) || scores[other] - scores[one]);
  }

  #line(seat, hasWon) {
    const { game, texts, sentences } = this;
    const { withdrawn } = game.seats[seat];
    const score = this.#hasScores ? String(game.outcome.scores[seat]) : hasWon ? texts.say("winner") : "";
    return make(
      `li${hasWon ? ".won" : ""}`,
      {},
      seatMark(seat),
      make("span.who", {}, sentences.player(seat)),
      make("strong", {}, withdrawn ? texts.say(`withdrawn_${withdrawn}`) : score),
    );
  }

  async #showSheet() {
    const { game, texts, ruleset, app, sentences } = this;
    const lines = await scoreSheet(game, ruleset.clock_restarts, this.frames).catch(() => []);
    if (lines.length < 2) return;
    const label = ({ name, number }) => {
      const word = number === undefined ? sentences.name(name, "score") : (ruleset.names[app.lang][name] ?? name);
      return number === undefined ? word.charAt(0).toUpperCase() + word.slice(1) : `${word} ${number}`;
    };
    const row = (kind, text, points) => make("tr", {}, make(kind, { scope: "row" }, text), points.map((each) => make("td.n", {}, String(each))));
    fill(
      this.sheet,
      make(
        "table",
        { id: "score-sheet" },
        make("caption", {}, texts.say("sheet")),
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, texts.say("sheet_line")), game.seats.map(({ seat }) => make("th.n", { scope: "col" }, seatMark(seat), ` ${sentences.player(seat)}`)))),
        make("tbody", {}, lines.map((line) => row("td", label(line), line.points)), row("th", texts.say("total"), game.outcome.scores)),
      ),
    );
  }

  #ways() {
    const { game, texts } = this;
    const create = make("a.button", { href: `#/create?ruleset=${game.ruleset}` }, texts.say("play_again"));
    return make(
      "div.row",
      {},
      this.rematch?.root,
      !this.rematch && this.again && button(texts.say("play_again"), this.again, { kind: "primary", id: "play-again" }),
      make("a.button", { href: `#/games/${game.id}/replay` }, texts.say("to_replay")),
      game.settled && make("a.button", { href: `#/games/${game.id}/audit` }, texts.say("to_audit")),
      !this.again && create,
    );
  }

  #sharing() {
    const { game, texts } = this;
    return !game.private && game.outcome && link(`${location.origin}/g/${game.id}`, texts.say("result_link"), texts);
  }
}
