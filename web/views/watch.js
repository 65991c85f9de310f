// A game as a spectator sees it, whatever seats this browser has; the code of a private one comes with the link.

import { Table } from "../table.js";

export async function show(root, { id, code = null }, app) {
  const table = new Table(root, id, app, { watching: true, code });
  await table.open();
  return () => table.close();
}
