// Sitting down: with a share of sealed entropy, which this browser opens as soon as every seat is taken, and a key to sign with.

import { newSeal } from "./api.js";
import * as seats from "./seat_storage.js";

/** Sit down with a share of the game's chances, and keep the seat. Returns the seat's number. */
export async function sitDown(api, game, { name, seat = undefined, code = null, ruleset }) {
  const { entropy, commitment } = await newSeal();
  const { newSigningKey } = await import("./signing.js");
  const keys = await newSigningKey();
  const wish = { name, seat, entropy_commitment: commitment, public_key: keys?.publicKey, join_code: code ?? undefined };
  const taken = await api.sit(game, wish);
  seats.keep(game, taken.seat, { token: taken.token, name, entropy, signingKey: keys?.signingKey });
  seats.note(game, { ruleset, ...(code ? { code } : {}) });
  if (taken.entry) seats.witness(game, taken.entry.seq, taken.entry.hash);
  return taken.seat;
}

const opening = new Set();

/** Open every seal of this browser that a game waits for, each once. */
export async function openSeals(api, game) {
  if (game.status !== "sealing") return;
  for (const seat of seats.seatsIn(game.id)) {
    const { token, entropy } = seats.of(game.id).seats[seat];
    const seal = `${game.id} ${seat}`;
    if (!entropy || game.seals[seat] !== "sealed" || opening.has(seal)) continue;
    opening.add(seal);
    await api.open(game.id, seat, entropy, token).catch((problem) => {
      opening.delete(seal);
      if (problem.code !== "not_sealing") throw problem; // opened by another window of this browser
    });
  }
}
