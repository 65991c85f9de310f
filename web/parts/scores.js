// How a game ended: who has won, and by how much.

import { fill, make, seatMark } from "../elements.js";

/** `viewer` is the seat that looks, or null. */
export function drawScores(root, { game, sentences, texts, viewer = null }) {
  const { outcome } = game;
  if (!outcome) {
    const why = texts.maybe(`aborted_${game.abort_reason}`) ?? game.abort_reason ?? "";
    return fill(root, make("h2", {}, texts.say("status_aborted")), make("p", {}, why));
  }
  const winners = outcome.winners.map((seat) => sentences.player(seat));
  const isMine = viewer !== null && outcome.winners.includes(viewer);
  const isShared = outcome.winners.length > 1;
  const own = viewer !== null && winners.length && texts.say(isMine ? (isShared ? "you_share" : "you_won") : "you_lost");
  const title = winners.length
    ? texts.say(winners.length > 1 ? "won_together" : "won", { who: sentences.grammar.listed(winners) })
    : texts.say("nobody_won");
  const order = outcome.scores.map((score, seat) => ({ seat, score })).sort((one, other) => other.score - one.score);
  return fill(
    root,
    make("h2", {}, own || title),
    own && !(isMine && !isShared) && make("p", {}, title),
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
          make("strong", {}, game.seats[seat].withdrawn ? texts.say(`withdrawn_${game.seats[seat].withdrawn}`) : String(score)),
        ),
      ),
    ),
  );
}
