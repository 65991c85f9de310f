// boardgame.io with its default storage, in memory, and a game of two whose state is about 5 kB: one move a turn.
import { createRequire } from 'node:module';

const { Server } = createRequire(process.env.BENCH_PACKAGES)('boardgame.io/server');
const CELLS = 64;

const cells = {
  name: 'cells',
  minPlayers: 2,
  maxPlayers: 2,
  turn: { minMoves: 1, maxMoves: 1 },
  setup: () => ({
    moves: 0,
    score: [0, 0],
    cells: Array.from({ length: CELLS }, (_, id) => ({
      id, owner: id % 2, kind: 'settlement', strength: 3 + (id % 7), label: `cell-${String(id).padStart(4, '0')}`,
    })),
  }),
  moves: {
    bump: ({ G, ctx }, id, by) => {
      if (!(id >= 0 && id < CELLS) || !(by >= 1 && by <= 6)) return 'INVALID_MOVE';
      const cell = G.cells[id];
      cell.strength = (cell.strength + by) % 10;
      cell.owner = Number(ctx.currentPlayer);
      G.score[ctx.currentPlayer] += by;
      G.moves += 1;
    },
  },
};

Server({ games: [cells], origins: [/127\.0\.0\.1/] }).run(Number(process.argv[2]), () => console.log('ready'));
