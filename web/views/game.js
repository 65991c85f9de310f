// A game that one plays, or looks at without a seat.

import { Table } from "../table.js";

export async function show(root, { id }, app) {
  const table = new Table(root, id, app);
  await table.open();
  return () => table.close();
}
