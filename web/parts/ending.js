// How a game ended, and where to go from there.

import { fill, make, seatMark } from "../elements.js";

export function drawEnding(root, { game, sentences, texts }) {
  const { outcome } = game;
  const links = make(
    "p.row",
    {},
    make("a.button", { href: `#/games/${game.id}/replay` }, texts.say("to_replay")),
    game.settled && make("a.button", { href: `#/games/${game.id}/audit` }, texts.say("to_audit")),
    make("a.button", { href: `#/create?ruleset=${game.ruleset}` }, texts.say("play_again")),
  );
  if (!outcome) {
    const why = texts.maybe(`aborted_${game.abort_reason}`) ?? game.abort_reason ?? "";
    return fill(root, make("h2", {}, texts.say("status_aborted")), make("p", {}, why), links);
  }
  const winners = outcome.winners.map((seat) => sentences.player(seat));
  const title = winners.length
    ? texts.say(winners.length > 1 ? "won_together" : "won", { who: sentences.grammar.listed(winners) })
    : texts.say("nobody_won");
  const order = outcome.scores.map((score, seat) => ({ seat, score })).sort((one, other) => other.score - one.score);
  return fill(
    root,
    make("h2", {}, title),
    make(
      "p.quiet",
      {},
      sentences.name(outcome.reason, "outcome.reason"),
      outcome.tiebreak && ` (${sentences.name(outcome.tiebreak, "outcome.tiebreak")})`,
    ),
    make(
      "ol.scores",
      {},
      order.map(({ seat, score }) =>
        make(
          `li${outcome.winners.includes(seat) ? ".won" : ""}`,
          {},
          seatMark(seat),
          make("span.who", {}, sentences.player(seat)),
          make("strong", {}, String(score)),
        ),
      ),
    ),
    links,
  );
}
