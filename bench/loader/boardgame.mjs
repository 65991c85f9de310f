// boardgame.io as its own client meets it: the lobby over REST, moves over socket.io (a move is answered by the update
// that everyone in the match gets).
import { createRequire } from 'node:module';
import { client, many } from './http.mjs';

const { io } = createRequire(process.env.BENCH_PACKAGES)('socket.io-client');

export const players = (job) => ({ acting, creating, reading_long: readingLong })[job.does](job, client(job.port, job.players));

const create = (call) => call('POST', '/games/cells/create', { numPlayers: 2 });

async function match(call) {
  const { matchID } = await create(call);
  const credentials = [];
  for (const playerID of ['0', '1']) {
    const seat = await call('POST', `/games/cells/${matchID}/join`, { playerID, playerName: `player ${playerID}` });
    credentials.push(seat.playerCredentials);
  }
  return { id: matchID, credentials, moves: 0 };
}

const connect = (port) =>
  new Promise((resolve, reject) => {
    const socket = io(`http://127.0.0.1:${port}/cells`, { transports: ['websocket'], forceNew: true, reconnection: false });
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', reject);
  });

/** The state, as whoever opens the match gets it. */
function sync(socket, table) {
  return new Promise((resolve) => {
    socket.once('sync', (_, { state }) => resolve((table.state = state._stateID)));
    socket.emit('sync', table.id, '0', table.credentials[0], 2);
  });
}

function move(socket, table) {
  const playerID = String(table.moves % 2);
  const args = [table.moves % 64, 1 + (table.moves % 6)];
  table.moves += 1;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('a move was not answered in 20 s')), 20000);
    const update = (id, { _stateID }) => {
      if (id !== table.id || _stateID <= table.state) return;
      clearTimeout(timer);
      socket.off('update', update);
      table.state = _stateID;
      resolve(1);
    };
    socket.on('update', update);
    const payload = { type: 'bump', args, playerID, credentials: table.credentials[Number(playerID)] };
    socket.emit('update', { type: 'MAKE_MOVE', payload }, table.state, table.id, playerID);
  });
}

async function acting(job, call) {
  const pool = await many(job.games, 16, () => match(call));
  const sockets = await many(job.players, 16, () => connect(job.port));
  const player = (socket) => {
    let table = { moves: job.per_game };
    return {
      ready: async () => {
        if (table.moves >= job.per_game) {
          table = pool.pop();
          if (table) await sync(socket, table);
        }
        return Boolean(table);
      },
      act: () => move(socket, table),
    };
  };
  return { players: sockets.map(player) };
}

async function creating(job, call) {
  const player = () => ({ ready: async () => true, act: async () => (await create(call), 1) });
  return { players: Array.from({ length: job.players }, player) };
}

async function readingLong(job, call) {
  const table = await match(call);
  const socket = await connect(job.port);
  await sync(socket, table);
  while (table.moves < job.entries) await move(socket, table);
  return { players: [{ ready: async () => true, act: async () => (await sync(socket, table), 1) }] };
}
