// What this browser saw of a game while it was played, held against the record: heads, and the chances it brought.

import { sealOf } from "./api.js";

const found = (check, verdict, entry = null, detail = null) => ({ check, verdict, entry, detail });

/** Is every head that was seen in the chain? `heads` are `{version: hash}`; null if there are none. */
export function checkHeads(record, heads) {
  const seen = Object.entries(heads).map(([version, hash]) => [Number(version), hash]);
  if (!seen.length) return null;
  const missing = seen.sort(([one], [other]) => one - other).find(([version, hash]) => record.entries[version - 1]?.hash !== hash);
  return missing ? { ...found("witness", "fail", missing[0]), count: seen.length } : { ...found("witness", "pass"), count: seen.length };
}

/**
 * Does the log hold the seals that this browser made, as those of its own seats? `seats` are `{seat: {entropy}}`; null
 * if it made none.
 */
export async function checkSeals(record, seats) {
  const made = Object.entries(seats).filter(([, { entropy }]) => entropy);
  if (!made.length) return null;
  for (const [seat, { entropy }] of made) {
    const entry = record.entries.findLast(({ type, data }) => type === "seat_taken" && data?.seat === Number(seat));
    const isOurs = entry?.data.entropy_commitment === (await sealOf(entropy)) && entry.actor?.seat === Number(seat);
    if (!isOurs) return { ...found("seal", "fail", entry?.seq ?? null), count: made.length };
  }
  return { ...found("seal", "pass"), count: made.length };
}

/** Everything that this browser can say of a record beside what the verifier says. */
export async function checkWitnesses(record, { heads = {}, seats = {} }) {
  return [checkHeads(record, heads), await checkSeals(record, seats)].filter(Boolean);
}
