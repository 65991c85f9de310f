// The history of the server's transparency log, as this browser knows it: the latest checkpoint that it saw, and the
// proof that the present one continues it. A server that swaps its history is caught by every browser that comes back.

import { compareCheckpoints, tilePath } from "./verify.mjs";

const KEY = "stele.log";

const kept = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
};

const bytesOf = async (answer) => new Uint8Array(await (await answer).arrayBuffer());

/**
 * Compare the log with what this browser saw of it: a check, or null if it saw nothing before. `logKeys` are those that
 * the server lists now. What contradicts the checkpoint that is kept never takes its place: it is the evidence.
 */
export async function checkLogHistory(api, logKeys) {
  const before = kept();
  if (!logKeys.size) return before && { check: "history", verdict: "fail", entry: null, detail: "the server shows no transparency log any more" };
  const note = await (await api.request("GET", "/tlog/checkpoint")).text();
  const [origin] = note.split("\n");
  const keys = before ? new Map([[before.origin, Uint8Array.from(before.key)]]) : logKeys;
  const tiles = (level, tile, width) => bytesOf(api.request("GET", `/tlog/${tilePath(level, tile, width)}`));
  const found = await compareCheckpoints(before?.note ?? note, note, { logKeys: keys, tiles });
  if (found.verdict === "pass") localStorage.setItem(KEY, JSON.stringify({ origin, note, key: [...keys.get(origin)] }));
  return before ? found : null;
}
