// Plays a whole game, both seats at random, and watches it in two ways; says `acted` after each action, and in the end
// what it saw. Usage: node killed.mjs URL RULESET OPTIONS
import { Stele } from "@stele/client";

const [url, ruleset, options] = process.argv.slice(2);
let dice = 11;
const choose = (items) => items[(dice = (dice * 48271) % 2147483647) % items.length];

const stele = new Stele(url);
const players = [{ name: "Ada" }, { name: "Ben" }];
const { game, table, seats } = await stele.create({ ruleset, options: JSON.parse(options), players });
const answers = [];

async function play({ table }) {
  for await (const turn of table.turns()) {
    const { version, hash } = await turn.act(choose(turn.actions));
    answers.push([version, hash]);
    console.log("acted");
  }
}

async function collect(items, seen = []) {
  for await (const item of items) seen.push(item);
  return seen;
}

const watching = collect(table.events());
const byTickets = collect(seats[0].table.frames({ tickets: true }));
await Promise.all(seats.map(play));
const events = await watching;
const frames = await byTickets;
const { verdict } = await table.audit();
const log = await collect(table.log());
console.log(
  JSON.stringify({
    id: game.id,
    verdict,
    answers,
    events: events.map(({ seq, hash, type }) => [seq, hash, type]),
    log: log.map(({ seq, hash, type }) => [seq, hash, type]),
    frames: frames.map(({ version }) => version),
    outcome: (await table.look()).outcome,
  }),
);
