/** Signed seats: a key with which a seat signs what it does, so that an audit shows that nobody else did it. */

import type { Event } from "./types.js";

/** An Ed25519 key of one seat, to be kept beside its token. */
export interface SeatKey {
  /** What the seat is taken with: 64 hex digits. */
  publicKey: string;
  /** The secret part, base64url. */
  secret: string;
}

/** A new key; undefined where the platform has no Ed25519: such a seat signs nothing. */
export async function createSeatKey(): Promise<SeatKey | undefined> {
  try {
    const pair = (await (await platformCrypto()).subtle.generateKey(ALGORITHM, true, ["sign", "verify"])) as CryptoKeyPair;
    const { x, d } = await (await platformCrypto()).subtle.exportKey("jwk", pair.privateKey);
    return x && d ? { publicKey: hex(bytesOf(x)), secret: d } : undefined;
  } catch {
    return undefined;
  }
}

const ALGORITHM = { name: "Ed25519" };

/** What every answer about a game says that a signature depends on. */
export interface Seen {
  version: number;
  hash: string;
  decisions: Record<string, number>;
  decision_hash: string | null;
}

/** Signs for one seat of a game, over what it has seen of it. */
export class Signer {
  #seen: Seen | undefined;
  #key: Promise<CryptoKey> | undefined;

  constructor(
    readonly game: string,
    readonly seat: number,
    readonly key: SeatKey,
  ) {}

  /** Remember what an answer says; one that is older than another does not count, but for a new look. */
  see(seen: Seen, { anew = false } = {}): void {
    if (anew || !this.#seen || seen.version >= this.#seen.version) this.#seen = seen;
  }

  /** Forget everything: the server has lost the end of the log. */
  forget(): void {
    this.#seen = undefined;
  }

  /** The decision that the seat was last seen to have. */
  get decision(): number | undefined {
    return this.#seen?.decision_hash ? this.#seen.decisions[this.seat] : undefined;
  }

  /** The latest entry that the seat has seen. */
  get version(): number | undefined {
    return this.#seen?.version;
  }

  /** The signatures of the actions of one request, as the header has them. */
  async actions(actions: readonly unknown[]): Promise<string> {
    const about = `stele-act-1\n${this.game}\n${this.seat}\n${this.#seen?.decision_hash ?? ""}`;
    const signed = actions.map(async (action, index) => this.#sign(`${about}\n${index}\n${await digest(action)}\n`));
    return (await Promise.all(signed)).join(", ");
  }

  resignation(): Promise<string> {
    return this.#sign(`stele-resign-1\n${this.game}\n${this.seat}\n${this.#seen?.hash}\n`);
  }

  takeback(to: number): Promise<string> {
    return this.#sign(`stele-takeback-1\n${this.game}\n${this.seat}\n${this.#seen?.hash}\n${to}\n`);
  }

  async #sign(message: string): Promise<string> {
    const { subtle } = await platformCrypto();
    const x = base64url(unhex(this.key.publicKey));
    const jwk = { kty: "OKP", crv: "Ed25519", x, d: this.key.secret };
    this.#key ??= subtle.importKey("jwk", jwk, ALGORITHM, false, ["sign"]);
    return hex(new Uint8Array(await subtle.sign(ALGORITHM, await this.#key, new TextEncoder().encode(message))));
  }
}

/** The seat that a token is for; undefined of any other token. */
export function seatOf(token: string | undefined): number | undefined {
  const seat = /^(\d+)\.\d+\./.exec(token ?? "")?.[1];
  return seat === undefined ? undefined : Number(seat);
}

/** To which entry the latest action of a seat is taken back: `events` are those after `first`, the lowest possible. */
export function beforeLatestAction(first: number, events: readonly Event[]): number | undefined {
  let points = [[first]];
  for (const { type, seq, data } of events) {
    const last = points.at(-1) ?? [];
    if (type === "action_taken") points.push([seq]);
    else if (type === "taken_back") {
      const { to } = data as { to: number };
      points = points.filter(([begun = 0]) => begun <= to);
      points.push([...(points.pop() ?? []).filter((each) => each <= to), seq]);
    } else last.push(seq);
  }
  return points.length > 1 ? points.at(-2)?.at(-1) : undefined;
}

/** The hash of an action's canonical JSON (RFC 8785). */
async function digest(action: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonical(action));
  return hex(new Uint8Array(await (await platformCrypto()).subtle.digest("SHA-256", bytes)));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join()}}`;
}

/** Node 18 keeps its cryptography in a module. */
export async function platformCrypto(): Promise<Crypto> {
  const inNode = "node:crypto";
  return globalThis.crypto ?? (await import(inNode)).webcrypto;
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unhex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}
