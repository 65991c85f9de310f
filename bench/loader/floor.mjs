// The floor as a client meets it: bare appends, and bare reads of one value of the store.
import { client } from './http.mjs';

const ACTION = { player: 1, type: 'move', args: [3, 4, 3, 5], key: '0123456789abcdef0123456789' };

export async function players(job) {
  const call = client(job.port, job.players);
  const append = () => call('POST', '/append', ACTION);
  const act = { acting: append, reading: () => call('GET', '/read') }[job.does];
  const trickle = () => {
    const timer = setInterval(() => append(), job.trickle_ms);
    return () => clearInterval(timer);
  };
  const player = () => ({ ready: async () => true, act: async () => (await act(), 1) });
  return { players: Array.from({ length: job.players }, player), trickle: job.trickle_ms && trickle };
}
