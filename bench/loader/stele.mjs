// Stele as a client meets it: whole games decided beforehand, creating, reading while others act.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { client, many } from './http.mjs';

const WebSocket = createRequire(process.env.BENCH_PACKAGES)('ws'); // which the client of boardgame.io uses too
const NAMES = [{ name: 'Ann' }, { name: 'Bob' }];

export const players = (job) => ({ acting, acting_socket: actingOverSockets, creating, reading, reading_long: readingLong })[job.does](job, client(job.port, job.players));

const create = async (call, token, game) => {
  const made = await call('POST', '/v1/games', { ruleset: 'babel', players: NAMES, ...game }, token);
  return { id: made.id, version: made.version, tokens: made.seats.map((seat) => seat.token) };
};

/** The requests of a script: each a run of one seat's actions, at most `list` of them. */
function requests(moves, list) {
  const runs = [];
  for (const [seat, action] of moves) {
    const last = runs.at(-1);
    if (last?.seat === seat && last.actions.length < list) last.actions.push(action);
    else runs.push({ seat, actions: [action] });
  }
  return runs;
}

/** Games of which the moves are known: `games` of them, made beforehand. */
async function tables(job, call) {
  const scripts = JSON.parse(readFileSync(job.scripts));
  return many(job.games, 16, async (n) => {
    const { seed, moves } = scripts[n % scripts.length];
    return { ...(await create(call, job.token, { seed })), requests: requests(moves, job.list ?? 1).slice(0, job.per_game) };
  });
}

async function act(call, job, table) {
  const { seat, actions } = table.requests[table.next++];
  const body = job.list ? actions : actions[0];
  const answer = await call('POST', `/v1/games/${table.id}/actions`, body, table.tokens[seat]);
  if (answer.stopped) throw new Error(`a list was stopped: ${JSON.stringify(answer.stopped)}`);
  table.version = answer.version;
  return actions.length;
}

/** Everyone plays one game after the other from a pool that was made beforehand. */
async function acting(job, call) {
  const pool = await tables(job, call);
  const games = pool.map((table) => table.id);
  const next = () => Object.assign(pool.pop() ?? { requests: [] }, { next: 0 });
  const player = () => {
    let table = next();
    return {
      ready: async () => {
        if (table.next >= table.requests.length) table = next();
        return table.requests.length > 0;
      },
      act: () => act(call, job, table),
    };
  };
  return { players: Array.from({ length: job.players }, player), about: { games } };
}

/** A WebSocket: `ask(message)` → its answer. */
const connect = (port) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/socket`, { perMessageDeflate: false });
    const waiting = new Map();
    let last = 0;
    socket.onmessage = ({ data }) => {
      const answer = JSON.parse(data);
      waiting.get(answer.re)?.(answer);
      waiting.delete(answer.re);
    };
    socket.onerror = () => reject(new Error('a WebSocket has failed'));
    socket.onopen = () =>
      resolve(async (message) => {
        const answer = await new Promise((done) => {
          waiting.set(++last, done);
          socket.send(JSON.stringify({ id: last, ...message }));
        });
        if (!answer.ok) throw new Error(JSON.stringify(answer));
        return answer;
      });
  });

/** The same over sockets, one for each player, as boardgame.io's client does: both seats of a game are followed without frames. */
async function actingOverSockets(job, call) {
  const pool = await tables(job, call);
  const sockets = await many(job.players, 16, () => connect(job.port));
  const player = (ask) => {
    let table = { requests: [], next: 0, follows: [] };
    const nextTable = async () => {
      for (const as of table.follows) await ask({ op: 'unfollow', as });
      table = Object.assign(pool.pop() ?? { requests: [], tokens: [] }, { next: 0, follows: [] });
      for (const token of table.tokens) {
        table.follows.push((await ask({ op: 'follow', game: table.id, token, frames: false })).as);
      }
    };
    return {
      ready: async () => {
        if (table.next >= table.requests.length) await nextTable();
        return table.requests.length > 0;
      },
      act: async () => {
        const { seat, actions } = table.requests[table.next++];
        await ask({ op: 'act', as: table.follows[seat], action: actions[0], answer: job.answer ?? 'full' });
        return 1;
      },
    };
  };
  return { players: sockets.map(player), about: { games: pool.map((table) => table.id) } };
}

async function creating(job, call) {
  const player = () => ({ ready: async () => true, act: async () => (await create(call, job.token), 1) });
  return { players: Array.from({ length: job.players }, player) };
}

/** Everyone reads a game, again and again, while now and then an action changes one: no answer may be older than what was
 * acknowledged before it was asked for. */
async function reading(job, call) {
  const pool = (await tables(job, call)).map((table) => Object.assign(table, { next: 0 }));
  const player = (table) => ({
    ready: async () => true,
    act: async () => {
      const acknowledged = table.version;
      const { version } = await call('GET', `/v1/games/${table.id}`);
      if (version < acknowledged) throw new Error(`stale: ${version} was read after ${acknowledged} was acknowledged`);
      return 1;
    },
  });
  const trickle = () => {
    let n = 0;
    const timer = setInterval(() => {
      const table = pool[n++ % pool.length];
      if (table.next < table.requests.length) act(call, job, table);
    }, job.trickle_ms);
    return () => clearInterval(timer);
  };
  return { players: pool.map(player), trickle };
}

/** One reader of a game whose log is `entries` long: tokens renewed again and again leave the state as it is. */
async function readingLong(job, call) {
  const table = await create(call, job.token);
  for (let entries = table.version; entries < job.entries; entries += 1) {
    await call('POST', `/v1/games/${table.id}/seats/0/token`, undefined, job.token);
  }
  const player = { ready: async () => true, act: async () => (await call('GET', `/v1/games/${table.id}`), 1) };
  return { players: [player] };
}
