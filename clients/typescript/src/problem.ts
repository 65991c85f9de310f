/** What may go wrong: the server refuses (`Problem`), or it cannot be reached for too long (`Unreachable`). */

import type { Schemas } from "./types.js";

/** The server's answer when it refuses something: `code` is for programs, the message for people. */
export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    readonly status: number,
    /** Stable: what programs look at. */
    readonly code: string,
    detail: string,
    /** Everything the server said, with what belongs to some codes alone (`errors`, `version`, `decision`). */
    readonly body: Partial<Schemas["Problem"]> = {},
  ) {
    super(detail);
  }

  /** The problem that an answer holds; whatever stands between server and client may have answered in its place. */
  static of(status: number, text: string): Problem {
    try {
      const body = JSON.parse(text) as Partial<Schemas["Problem"]>;
      if (typeof body.code === "string") return new Problem(status, body.code, body.detail ?? body.code, body);
    } catch {
      // no JSON: not from the server itself
    }
    return new Problem(status, "http_error", `The answer was HTTP ${status}: ${text.slice(0, 200)}`);
  }
}

/** Nobody answered for as long as the client was willing to wait. What was asked may have been done or not. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  constructor(address: string, override readonly cause: unknown) {
    super(`${address} did not answer: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
