export { type SeatKey, createSeatKey } from "./signing.js";
export { Problem, Unreachable } from "./problem.js";
export { type Batched, type Created, type Heard, type Listening, Stele } from "./stele.js";
export { type Acting, type FollowingAGame, type Looking, type Rematch, Table, type Turn } from "./table.js";
export type { Settings } from "./transport.js";
export type * from "./types.js";
