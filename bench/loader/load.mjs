// The loader: `node load.mjs JOB`, JOB being JSON. It prepares the players of a job and says that it is ready; at each line
// on its standard input it has all of them act for so long, and says how that went. Each saying is one line of JSON.
//
// What a subject exports is `players(job)`: a promise of `{ players, about?, trickle? }`, where a player has
//   ready()  → whether there is something left to do (what it takes to find out is not timed)
//   act()    → how many actions were done; timed
// `about` is told when all is ready; `trickle()` starts what happens besides, and gives what ends it.
import { createInterface } from 'node:readline';

const job = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const now = () => Number(process.hrtime.bigint()) / 1e6; // ms
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** One player acts until the end, as fast as it can or once in `every` ms; actions that began before `from` only warm up. */
async function play(player, { from, end, every, first }, tally) {
  let due = from + first;
  while (now() < end) {
    if (every) {
      await sleep(Math.max(0, due - now()));
      due += every;
    }
    if (!(await player.ready())) {
      tally.exhausted += 1;
      return;
    }
    const begun = now();
    const done = await player.act();
    const over = now();
    tally.all += done;
    if (over >= from && over <= end) tally.count += done;
    if (begun >= from) tally.took.push(over - begun); // the last ones too, however slow they are
  }
}

const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;

async function run(players) {
  const { seconds, warm = 0, every = 0 } = job;
  const tally = { count: 0, all: 0, exhausted: 0, took: [] };
  const from = now() + warm * 1000;
  const window = { from, end: from + seconds * 1000, every };
  await Promise.all(players.map((player, n) => play(player, { ...window, first: (every * n) / players.length }, tally)));
  const took = tally.took.sort((one, other) => one - other);
  const { count, all, exhausted } = tally;
  return { count, all, exhausted, rate: count / seconds, requests: took.length, p50: percentile(took, 0.5), p99: percentile(took, 0.99) };
}

const { players, about, trickle } = await (await import(`./${job.subject}.mjs`)).players(job);
say({ ready: true, ...about });
for await (const _ of createInterface({ input: process.stdin })) {
  const stop = trickle?.();
  say(await run(players));
  stop?.();
}
process.exit(0);
