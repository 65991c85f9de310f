// A bot that creates a game, plays both of its seats to the end and tells how it went:
//
//     node bot.mjs http://127.0.0.1:8000 babel
//
// It looks one step ahead with nothing but the list of legal actions: what builds comes before what merely passes.
import { Problem, Stele } from "@stele/client";

const [url = "http://127.0.0.1:8000", ruleset = "babel", options = "{}"] = process.argv.slice(2);

const EAGER = ["build", "skip_level", "steal_level", "place", "pay", "use_chain", "start_work", "take_card"];
const RELUCTANT = ["end_turn", "end_sites", "end_construction", "stop", "cancel_work", "cancel_site", "demolish"];

/** One of the best actions, at random. */
function choose(actions) {
  const rank = ({ type }) => (EAGER.includes(type) ? 0 : RELUCTANT.includes(type) ? 2 : 1);
  const best = Math.min(...actions.map(rank));
  // now and then anything goes, so that nobody moves back and forth for ever
  const worth = Math.random() < 0.3 ? actions : actions.filter((action) => rank(action) === best);
  return worth[Math.floor(Math.random() * worth.length)];
}

/** Play one seat until the game is over; streams that are cut go on, actions that are lost are sent again. */
async function play({ seat, table }) {
  let moves = 0;
  for await (const turn of table.turns()) {
    try {
      await turn.act(choose(turn.actions));
      moves += 1;
    } catch (refusal) {
      // someone else's action may have changed what this one may do: the next frame tells
      if (!(refusal instanceof Problem) || refusal.status !== 409) throw refusal;
    }
  }
  return { seat, moves };
}

const stele = new Stele(url);
const players = [{ name: "Ada" }, { name: "Ben" }];
const { game, table, seats } = await stele.create({ ruleset, options: JSON.parse(options), players });
console.error(`Playing ${ruleset}: ${url}/v1/games/${game.id}`);
const played = await Promise.all(seats.map(play));
const { outcome, version } = await table.look();
console.log(JSON.stringify({ ruleset, id: game.id, version, played, outcome }));
