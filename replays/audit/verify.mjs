#!/usr/bin/env node
/**
 * Verify the record of a Stele game with nothing but this file, in node (18 or later) or in a browser.
 *
 *     node verify.mjs RECORD.json [--key KEYS] [--json]
 *
 *     import { readRecord, readKeys, verify, verdict } from "./verify.mjs";
 *     const checks = await verify(readRecord(bytes), { keys: await readKeys(keyBytes) });
 *
 * It checks what needs no knowledge of any game's rules: the chain of hashes, the form and order of the entries, that
 * the opened seed and seals are the ones committed to, that every shuffle is the one the seed gives, that nobody was out
 * of time who cannot have been, and that the settlement says of all this what is true. With KEYS (a server's
 * stele-keys.json, or a file with one public key in hex) it also checks the signature, where the platform has Ed25519.
 * The other checks of an audit need the rules; they are listed as `not_checked`.
 * Exit code: 0 everything passed, 1 something failed, 2 something could not be checked.
 */

const USAGE = "node verify.mjs RECORD.json [--key KEYS] [--json]";
const RULE_CHECKS = ["facts", "states", "components", "outcome"];
const SETTLED_CHECKS = ["chain", "schema", "commitment", "random", ...RULE_CHECKS, "clocks"]; // what a settlement tells of
const NEWER_CHECKS = ["clocks", "settlement"]; // what games of the first terms are not asked
const CHECKS = [...SETTLED_CHECKS, "settlement", "signature"];
const ZEROS = "0".repeat(64);
const MAX_DEPTH = 100;
const MAX_SEATS = 64;
const BROKEN = "the record's form is broken";
const NEEDS_RULES = "needs the rules";

/** What is wrong, and with which entry (null: with the record as a whole). */
export class Fault extends Error {
  constructor(entry, detail) {
    super(detail);
    this.entry = entry;
  }
}

/** Why a check cannot be made on this record. */
class NotChecked extends Error {}

// -- bytes, hashes and canonical JSON ---------------------------------------------------------------------------------

const encoder = new TextEncoder();
const bytesOf = (text) => encoder.encode(text);

function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function compareBytes(one, other) {
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    if (one[at] !== other[at]) return one[at] - other[at];
  }
  return one.length - other.length;
}

async function digest(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

const sha256 = async (bytes) => toHex(await digest(bytes));

function hmacKey(secret) {
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

async function hmac(key, message) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

/** RFC 8785 within the log's limits: keys are ASCII, numbers are integers. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const same = (one, other) => canonical(one) === canonical(other);

// -- reading ----------------------------------------------------------------------------------------------------------

const BLANK = /[ \t\n\r]*/y;
const LITERAL = /true|false|null/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?![0-9])/y;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** JSON read strictly: no floats, no key twice, no lone surrogate, integers within ±(2⁵³−1). */
class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  whole() {
    const value = this.value(1);
    this.take(BLANK);
    if (this.at !== this.text.length) this.refuse();
    return value;
  }

  value(depth) {
    if (depth > MAX_DEPTH) throw new Fault(null, `nested deeper than ${MAX_DEPTH}`);
    this.take(BLANK);
    if (this.skip("{")) return this.object(depth);
    if (this.skip("[")) return this.list(depth);
    if (this.text[this.at] === '"') return this.string();
    const literal = this.take(LITERAL);
    return literal ? JSON.parse(literal) : this.integer();
  }

  object(depth) {
    const found = Object.create(null); // so that no member's name means anything to JavaScript
    this.take(BLANK);
    if (this.skip("}")) return found;
    do {
      this.take(BLANK);
      const name = this.string();
      if (name in found) throw new Fault(null, "a JSON object has the same key twice");
      if (!/^[\x20-\x7e]*$/.test(name)) throw new Fault(null, "a JSON key has characters other than printable ASCII");
      this.take(BLANK);
      if (!this.skip(":")) this.refuse();
      found[name] = this.value(depth + 1);
      this.take(BLANK);
    } while (this.skip(","));
    if (!this.skip("}")) this.refuse();
    return found;
  }

  list(depth) {
    const found = [];
    this.take(BLANK);
    if (this.skip("]")) return found;
    do {
      found.push(this.value(depth + 1));
      this.take(BLANK);
    } while (this.skip(","));
    if (!this.skip("]")) this.refuse();
    return found;
  }

  string() {
    const start = this.at;
    if (!this.skip('"')) this.refuse();
    while (this.at < this.text.length && this.text[this.at] !== '"') this.at += this.text[this.at] === "\\" ? 2 : 1;
    this.at += 1;
    try {
      const text = JSON.parse(this.text.slice(start, this.at));
      if (!LONE_SURROGATE.test(text)) return text;
    } catch {
      this.refuse();
    }
    throw new Fault(null, "a text has half a character");
  }

  integer() {
    const source = this.take(NUMBER);
    if (!source) this.refuse();
    if (/^[.eE]/.test(this.text.slice(this.at, this.at + 1))) throw new Fault(null, "a number is not an integer");
    if (source.length > 17 || !Number.isSafeInteger(Number(source))) {
      throw new Fault(null, "an integer is beyond ±(2⁵³−1)");
    }
    return Number(source) || 0; // never -0
  }

  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  skip(sign) {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  refuse() {
    throw new Fault(null, `not a JSON document of the log's kind: see character ${this.at}`);
  }
}

function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Fault(null, "not a JSON document of the log's kind: not UTF-8");
  }
}

/** Parse a record strictly: what the log cannot hold is no record. */
export function readRecord(bytes) {
  const record = new Reader(decoded(bytes)).whole();
  if (!isObject(record) || record.format !== "stele-record/1") {
    throw new Fault(null, 'not a record: its "format" is not "stele-record/1"');
  }
  if (!Array.isArray(record.entries) || !record.entries.length || !record.entries.every(isObject)) {
    throw new Fault(null, "a record has a list of entries");
  }
  return record;
}

/** By which terms a game is judged: the second where its first entry says so, otherwise the first. */
const termsOf = (record) => (isObject(record.entries[0].data) && record.entries[0].data.terms === 2 ? 2 : 1);

// -- 1. chain ---------------------------------------------------------------------------------------------------------

/** Numbers without gaps; every hash that of its entry, every `prev` that of the entry before. */
async function checkChain(record) {
  let prev = ZEROS;
  for (const [index, entry] of record.entries.entries()) {
    const place = index + 1;
    if (entry.seq !== place) throw new Fault(place, `entry ${place} has the number ${canonical(entry.seq ?? null)}`);
    if (entry.prev !== prev) throw new Fault(place, "its `prev` is not the hash of the entry before");
    const { hash, ...body } = entry;
    prev = await sha256(bytesOf(canonical(body)));
    if (hash !== prev) throw new Fault(place, "its hash is not that of its content");
  }
  const head = record.head;
  if (!isObject(head) || head.seq !== record.entries.length || head.hash !== prev) {
    throw new Fault(null, "the record's head is not its last entry");
  }
}

// -- 2. schema --------------------------------------------------------------------------------------------------------

const isText = (value) => typeof value === "string";
const isNumber = (value) => Number.isInteger(value) && value >= 0;
const isFlag = (value) => typeof value === "boolean";
const hexadecimal = (length) => (value) => isText(value) && new RegExp(`^[0-9a-f]{${length}}$`).test(value);
const oneOf = (...values) => (value) => values.includes(value);
const optional = (test) => (value) => value === null || test(value);
const anyOf = (...tests) => (value) => tests.some((test) => test(value));
const each = (test) => (value) => Array.isArray(value) && value.every(test);
/** An object with these members, and perhaps with those. */
const shape = (members, perhaps = {}) => {
  const tests = { ...members, ...perhaps };
  return (value) =>
    isObject(value) &&
    Object.keys(members).every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => Object.hasOwn(tests, name) && tests[name](value[name]));
};

const TIME = /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z$/;

function isMoment(value) {
  const found = isText(value) && TIME.exec(value);
  if (!found) return false;
  const [year, month, day, hour, minute, second] = found.slice(1).map(Number);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return year > 0 && day > 0 && day <= days && hour < 24 && minute < 60 && second < 60;
}

/** A moment of the log as milliseconds since 1970. */
const milliseconds = (time) => Date.parse(time);

const HASH = hexadecimal(64);
const ACTOR = anyOf(
  shape({ seat: isNumber }),
  shape({ host: isText }),
  shape({ operator: oneOf(true) }),
  shape({ anonymous: oneOf(true) }),
  shape({ system: oneOf("worker", "clock") }),
);
const ORIGIN = anyOf(
  shape({ kind: oneOf("fresh", "seeded") }),
  shape({ kind: oneOf("position"), position: isObject, seeded: isFlag }),
  shape({ kind: oneOf("fork"), game: isText, version: isNumber, position: isObject }),
);
const FACTS = each((fact) => isObject(fact) && isText(fact.type));
const RANDOM = each(shape({ label: isText, result: Array.isArray }));
const CHECK = shape({
  check: isText,
  verdict: oneOf("pass", "fail", "not_checked"),
  entry: optional(isNumber),
  detail: optional(isText),
});
const AUDIT = shape({
  verdict: oneOf("pass", "fail", "incomplete"),
  checks: each(CHECK),
  fairness: oneOf(null, "sealed", "open", "server_only", "seeded"),
  head: shape({ seq: isNumber, hash: HASH }),
});
const REQUEST = shape({ key: HASH, body: HASH, of: each(isNumber) });

const TURN_CLOCK = shape({ turn_seconds: isNumber });
const TOTAL_CLOCK = shape({ total_seconds: isNumber, increment_seconds: isNumber });
/** What is told of an adjudication: no control characters, nothing that turns the direction of text. */
const WHY = /^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,200}$/u;
const TIMED_ABORTS = ["never_filled", "entropy_withheld", "abandoned", "too_long"]; // the clock's own, with their limit
const isEmpty = (value) => Array.isArray(value) && !value.length;
const TAGS = (value) => each(isText)(value) && value.length > 0 && new Set(value).size === value.length;

const GAME_CREATED = {
  ruleset: isText,
  ruleset_version: isNumber,
  component_set: shape({ name: isText, sha256: HASH }),
  options: isObject,
  seats: isNumber,
  seed_commitment: HASH,
  private: isFlag,
  clock: optional(TURN_CLOCK),
  host: optional(isText),
  origin: ORIGIN,
};
const DATA = {
  game_created: shape(GAME_CREATED),
  seat_taken: shape({
    seat: isNumber,
    player: shape({ name_hash: optional(HASH), ref: optional(isText) }),
    bot: optional(isText),
    entropy: optional((value) => isText(value) && bytesOf(value).length <= 64),
    entropy_commitment: optional(HASH),
  }),
  entropy_revealed: shape({ seat: isNumber, entropy: HASH }),
  seat_token_renewed: shape({ seat: isNumber, generation: isNumber }),
  game_started: shape({ facts: FACTS, random: RANDOM }),
  action_taken: shape({ action: (value) => isObject(value) && "type" in value, facts: FACTS, random: RANDOM }),
  seat_withdrawn: shape({
    seat: isNumber,
    cause: oneOf("resigned", "timed_out"),
    facts: FACTS,
    random: isEmpty,
  }),
  game_aborted: shape({
    reason: oneOf("never_filled", "entropy_withheld", "all_timed_out", "by_host", "by_operator"),
  }),
  game_settled: shape({ outcome: optional(isObject), seed: HASH, audit: AUDIT }),
};
const NEWER_DATA = {
  ...DATA,
  game_created: shape(
    { ...GAME_CREATED, clock: optional(anyOf(TURN_CLOCK, TOTAL_CLOCK)), terms: oneOf(2) },
    { tags: TAGS },
  ),
  seat_left: shape({ seat: isNumber, generation: isNumber }),
  game_adjudicated: shape({
    outcome: isObject,
    why: (value) => isText(value) && WHY.test(value),
    facts: FACTS,
    random: isEmpty,
  }),
  game_aborted: anyOf(
    shape({ reason: oneOf("all_timed_out", "by_host", "by_operator", "by_creator") }),
    shape({ reason: oneOf(...TIMED_ABORTS), limit: isNumber }),
  ),
};
const DATA_BY_TERMS = { 1: DATA, 2: NEWER_DATA };
const ENVELOPE = shape({
  actor: ACTOR,
  at: isMoment,
  data: isObject,
  game: isText,
  hash: HASH,
  prev: HASH,
  req: optional(REQUEST),
  salt: hexadecimal(32),
  seq: isNumber,
  state: optional(HASH),
  type: oneOf(...Object.keys(NEWER_DATA)),
  v: oneOf(1),
});
const HEAD = shape({ seq: isNumber, hash: HASH, signature: optional(isText), key_id: optional(isText) });
const PEOPLE = each(shape({ seat: isNumber, name: isText, nonce: hexadecimal(32) }));

const FOLLOWS = {
  null: ["game_created"],
  game_created: ["seat_taken", "game_aborted"],
  seat_taken: ["seat_taken", "entropy_revealed", "game_started", "game_aborted"],
  entropy_revealed: ["entropy_revealed", "game_started", "game_aborted"],
  game_started: ["action_taken", "seat_withdrawn", "game_aborted", "game_settled"],
  action_taken: ["action_taken", "seat_withdrawn", "game_aborted", "game_settled"],
  seat_withdrawn: ["action_taken", "seat_withdrawn", "game_aborted", "game_settled"],
  game_aborted: ["game_settled"],
  game_settled: [],
};
const PLAYED = ["action_taken", "seat_withdrawn", "game_adjudicated", "game_aborted", "game_settled"];
const NEWER_FOLLOWS = {
  ...FOLLOWS,
  seat_taken: [...FOLLOWS.seat_taken, "seat_left"],
  seat_left: ["seat_taken", "seat_left", "game_aborted"],
  game_started: PLAYED,
  action_taken: PLAYED,
  seat_withdrawn: PLAYED,
  game_adjudicated: ["game_settled"],
};
const FOLLOWS_BY_TERMS = { 1: FOLLOWS, 2: NEWER_FOLLOWS };
const MEMBERS = ["format", "game", "ruleset", "ruleset_version", "entries", "people", "head"];

/** Every entry well-formed and in its place; every name the one that was hashed. */
async function checkSchema(record) {
  const odd = [
    ...MEMBERS.filter((name) => !(name in record)),
    ...Object.keys(record).filter((name) => !MEMBERS.includes(name)),
  ];
  if (odd.length) throw new Fault(null, `members of the record that are missing or unknown: ${odd.sort().join(", ")}`);
  const table = new Table(record);
  for (const [index, entry] of record.entries.entries()) {
    if (!isWellFormed(entry, table.terms)) {
      throw new Fault(index + 1, `not a well-formed entry of type ${canonical(entry.type ?? null)}`);
    }
    table.follow(index + 1, entry);
  }
  await table.close(record);
}

/** Has it the members of an entry, and its data those of its type? */
function isWellFormed(entry, terms) {
  const data = DATA_BY_TERMS[terms];
  return ENVELOPE(entry) && Object.hasOwn(data, entry.type) && data[entry.type](entry.data);
}

/** Who sits where and what may come next, as far as the order of entries goes. */
class Table {
  constructor(record) {
    this.game = record.game;
    this.terms = termsOf(record);
    this.follows = FOLLOWS_BY_TERMS[this.terms];
    this.place = 0;
    this.before = null;
    this.latest = { at: "", state: null, actor: null, req: null };
    this.created = {};
    this.taken = new Map();
    this.closed = new Set();
    this.generations = new Map();
    this.withdrawn = new Set();
  }

  demand(condition, detail) {
    if (!condition) throw new Fault(this.place, detail);
  }

  follow(place, entry) {
    this.place = place;
    this.demand(entry.game === this.game, "it belongs to another game");
    this.demand(entry.at >= this.latest.at, "it is earlier than the one before");
    this.followRequest(entry);
    if (entry.type === "seat_token_renewed") {
      this.demand(this.before !== null && this.before !== "game_settled", "it stands outside the game");
    } else {
      this.demand(this.follows[this.before].includes(entry.type), `it cannot follow ${this.before}`);
      this.before = entry.type;
    }
    this[entry.type](entry, entry.data);
    if ("facts" in entry.data) this.demand(entry.state !== null, "it has facts and no state");
    else this.demand(entry.state === this.latest.state, "it has no facts and another state");
    this.latest = entry;
  }

  /** The entries of one append name the same request and between them all its numbers. */
  followRequest(entry) {
    const { req: request } = entry;
    const unfinished = this.latest.req;
    if (unfinished && this.place <= unfinished.of[1]) {
      this.demand(same(request, unfinished), "it came of one append with the entry before");
      this.demandOneMoment(entry);
    } else if (request) {
      const [first, last] = request.of;
      const fits = request.of.length === 2 && first === this.place && first <= last;
      this.demand(fits, "its request does not begin here");
    }
  }

  /** What is appended together has one time (by the second terms). */
  demandOneMoment(entry) {
    this.demand(this.terms === 1 || entry.at === this.latest.at, "another time than the rest of its append");
  }

  game_created(entry, data) {
    this.created = data;
    this.createdAt = entry.at;
    this.demand(0 < data.seats && data.seats <= MAX_SEATS, `a game has 1 to ${MAX_SEATS} seats`);
    this.demand(!("seat" in entry.actor), "no seat creates a game");
    this.demand((entry.actor.host ?? null) === data.host, "its host is not who created it");
  }

  seat_taken(entry, data) {
    const { seat, player } = data;
    const by = entry.actor.seat ?? null;
    this.demand(seat < this.created.seats, "there is no such seat");
    this.demand(!this.taken.has(seat), "that seat is taken already");
    if (data.bot === null) {
      this.demand(player.name_hash !== null, "a player has a name");
      this.demand(by === null || by === seat, "by another seat");
    } else {
      this.demandBot(entry, player);
      this.demand(by === null || by === seat || this.taken.has(by), "by a seat that nobody had taken");
    }
    const brought = [data.entropy, data.entropy_commitment].filter(Boolean);
    this.demand(brought.length <= 1, "entropy both open and sealed");
    this.demand(!(brought.length && isSeeded(this.created)), "entropy in a seeded game");
    if (data.entropy_commitment) this.closed.add(seat);
    this.taken.set(seat, entry);
    this.seatedAt = entry.at;
  }

  /** A bot has no name by the first terms; by the second it may, and a `ref` from a host or an operator. */
  demandBot(entry, player) {
    if (this.terms === 1) this.demand(player.name_hash === null && player.ref === null, "a bot has no name");
    else if (player.ref !== null) {
      this.demand("host" in entry.actor || "operator" in entry.actor, "a bot's ref by another actor");
    }
  }

  seat_left(entry, data) {
    const { seat, generation } = data;
    this.demand(this.taken.has(seat), "nobody sits there");
    this.demand(!this.isFull(), "the game is not open any more");
    this.demand(generation === (this.generations.get(seat) ?? 0) + 1, "not the next generation");
    const byItself = this.isPlayer(seat) && entry.actor.seat === seat;
    this.demand(byItself || this.governs(entry.actor), "by another actor");
    this.generations.set(seat, generation);
    this.closed.delete(seat);
    this.taken.delete(seat);
  }

  entropy_revealed(entry, data) {
    this.demand(this.isFull(), "a seal opened before every seat was taken");
    this.demand(this.closed.has(data.seat), "that seat has no closed seal");
    this.demand(entry.actor.seat === data.seat, "a seal is opened by its seat");
    this.closed.delete(data.seat);
  }

  seat_token_renewed(entry, data) {
    this.demand(this.isPlayer(data.seat), "no player sits there");
    this.demand(data.generation === (this.generations.get(data.seat) ?? 0) + 1, "not the next generation");
    this.demand(this.governs(entry.actor), "by another actor");
    this.generations.set(data.seat, data.generation);
  }

  game_started(entry) {
    this.demand(this.isFull() && !this.closed.size, "a seat is free or a seal closed");
    const last = ["seat_taken", "entropy_revealed"].includes(this.latest.type);
    this.demand(last, "it does not follow the last seat or seal");
    for (const member of ["actor", "req"]) {
      this.demand(same(entry[member], this.latest[member]), `another ${member} than the entry before`);
    }
    this.demandOneMoment(entry);
  }

  action_taken(entry) {
    this.demand(this.taken.has(entry.actor.seat), "only a seat acts");
  }

  seat_withdrawn(entry, data) {
    const by = data.cause === "resigned" ? { seat: data.seat } : { system: "clock" };
    this.demand(this.isPlayer(data.seat), "no player sits there");
    this.demand(!this.withdrawn.has(data.seat), "that seat has withdrawn already");
    this.demand(same(entry.actor, by), "by another actor");
    this.withdrawn.add(data.seat);
  }

  game_adjudicated(entry) {
    this.demand(this.governs(entry.actor), "by another actor");
  }

  game_aborted(entry, data) {
    const { reason, limit } = data;
    this.demand(this.mayAbort(entry.actor, reason), "by another actor");
    const started = this.latest.state !== null;
    const possible = {
      never_filled: !this.isFull(),
      entropy_withheld: this.isFull() && this.closed.size > 0,
      all_timed_out: started,
      abandoned: started,
      by_creator: !started,
    };
    this.demand(possible[reason] ?? true, "its reason cannot be the case");
    if (limit === undefined) return;
    const since = { never_filled: this.createdAt, entropy_withheld: this.seatedAt };
    const waited = milliseconds(entry.at) - milliseconds(since[reason] ?? this.latest.at);
    const enough = reason === "too_long" ? this.place > limit : waited >= limit * 1000;
    this.demand(enough, "its limit is not reached");
  }

  /** Is this who calls a game off for this reason? */
  mayAbort(actor, reason) {
    if (this.terms === 2 && TIMED_ABORTS.includes(reason)) return actor.system === "clock";
    switch (reason) {
      case "by_host":
        return actor.host !== undefined && actor.host === this.created.host;
      case "by_operator":
        return actor.operator === true;
      case "by_creator":
        return this.isPlayer(actor.seat) && this.taken.get(actor.seat).actor.anonymous === true;
      default:
        return "system" in actor;
    }
  }

  game_settled(entry, data) {
    this.demand(entry.actor.system === "worker", "by another actor");
    const { seq, hash } = data.audit.head;
    this.demand(seq === this.place - 1 && hash === entry.prev, "it audited another log");
  }

  isFull() {
    return this.taken.size === this.created.seats;
  }

  /** Is it the host of the game, or an operator? */
  governs(actor) {
    return (this.created.host !== null && actor.host === this.created.host) || actor.operator === true;
  }

  isPlayer(seat) {
    return this.taken.has(seat) && this.taken.get(seat).data.bot === null;
  }

  /** What must hold of the whole record. */
  async close(record) {
    for (const member of ["ruleset", "ruleset_version"]) {
      if (!same(record[member], this.created[member])) throw new Fault(1, `the record names another ${member}`);
    }
    const unfinished = this.latest.req;
    this.demand(!unfinished || unfinished.of[1] === this.place, "the rest of its append is missing");
    if (!HEAD(record.head)) throw new Fault(null, "`head` is a number, a hash, a signature and a key's id");
    await this.closePeople(record.people);
  }

  /** Names that are given are the ones hashed; those not given may have been forgotten. */
  async closePeople(people) {
    if (!PEOPLE(people)) throw new Fault(null, "`people` is a list of seat, name and nonce");
    for (const { seat, name, nonce } of people) {
      if (!this.taken.has(seat)) throw new Fault(null, `a name is given for seat ${seat}, which nobody took`);
      const entry = this.taken.get(seat);
      if (entry.data.player.name_hash !== (await sha256(joined(fromHex(nonce), bytesOf(name))))) {
        throw new Fault(entry.seq, `the name given for seat ${seat} is not the one hashed`);
      }
    }
    if (new Set(people.map((person) => person.seat)).size !== people.length) {
      throw new Fault(null, "a seat is named twice");
    }
  }
}

// -- 3. commitment ----------------------------------------------------------------------------------------------------

/** The server's seed, once the game is settled. */
function openedSeed(record) {
  const last = record.entries.at(-1);
  return last.type === "game_settled" && isWellFormed(last, termsOf(record)) ? fromHex(last.data.seed) : null;
}

function demandSeed(seed) {
  if (seed === null) throw new NotChecked("the game is not settled: its seed is not open");
  return seed;
}

/** The opened seals and seed are what was committed to. */
async function checkCommitment(record, serverSeed) {
  const seals = new Map();
  for (const { seq, type, data } of record.entries) {
    if (type === "seat_taken") seals.set(data.seat, data.entropy_commitment);
    if (type !== "entropy_revealed") continue;
    const opened = await sha256(joined(bytesOf("stele-seal-1"), fromHex(data.entropy)));
    if (opened !== seals.get(data.seat)) throw new Fault(seq, "the opened seal is not the one committed to");
  }
  if ((await sha256(demandSeed(serverSeed))) !== record.entries[0].data.seed_commitment) {
    throw new Fault(record.entries.length, "the opened seed is not the one committed to");
  }
}

// -- 4. random --------------------------------------------------------------------------------------------------------

/** Did the creator choose the seed? */
const isSeeded = (created) => created.origin.kind === "seeded" || created.origin.seeded === true;

/** The seed of every shuffle: the server's, mixed with what the seats brought. */
async function gameSeed(record, serverSeed) {
  const created = record.entries[0].data;
  if (isSeeded(created)) return serverSeed;
  const brought = Array.from({ length: created.seats }, () => new Uint8Array());
  for (const { type, data } of record.entries) {
    if (type === "seat_taken") brought[data.seat] = bytesOf(data.entropy ?? "");
    else if (type === "entropy_revealed") brought[data.seat] = fromHex(data.entropy);
  }
  const hashes = await Promise.all(brought.map(digest));
  return hmac(await hmacKey(serverSeed), joined(bytesOf(`stele-game-1\0${record.game}\0`), ...hashes));
}

/** The random 64-bit words of one label. */
async function* words(key, label) {
  const name = bytesOf(label);
  for (let block = 0n; ; block++) {
    const number = new Uint8Array(8);
    new DataView(number.buffer).setBigUint64(0, block);
    const drawn = await hmac(key, joined(bytesOf("stele-rng-1"), Uint8Array.of(name.length), name, number));
    const view = new DataView(drawn.buffer);
    for (let at = 0; at < 32; at += 8) yield view.getBigUint64(at);
  }
}

/** The order that this label gives these items, whatever order they come in. */
export async function shuffle(items, key, label) {
  const keyed = items.map((item) => ({ item, bytes: bytesOf(canonical(item)) }));
  const deck = keyed.sort((one, other) => compareBytes(one.bytes, other.bytes)).map(({ item }) => item);
  const stream = words(key, label);
  for (let i = deck.length - 1; i > 0; i--) {
    const choices = BigInt(i + 1);
    const limit = (2n ** 64n / choices) * choices;
    let word;
    do word = (await stream.next()).value;
    while (word >= limit);
    const j = Number(word % choices);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

/** Every recorded chance is what its label gives, and no label is used twice. */
async function checkRandom(record, serverSeed) {
  const key = await hmacKey(await gameSeed(record, demandSeed(serverSeed)));
  const used = new Set();
  for (const { seq, data } of record.entries) {
    const draws = data.random ?? [];
    const labels = draws.map((draw) => bytesOf(draw.label));
    if (labels.some((label, at) => at > 0 && compareBytes(labels[at - 1], label) > 0)) {
      throw new Fault(seq, "its chances are not sorted by label");
    }
    for (const [at, { label, result }] of draws.entries()) {
      if (used.has(label) || labels[at].length === 0 || labels[at].length > 255) {
        throw new Fault(seq, `the label ${canonical(label)} is used twice or is none`);
      }
      used.add(label);
      if (!same(await shuffle(result, key, label), result)) {
        throw new Fault(seq, `${canonical(label)} does not give this order`);
      }
    }
  }
}

// -- 11. clocks -------------------------------------------------------------------------------------------------------

/** Nobody was out of time who cannot have been, whatever the rules say; what depends on them is left open. */
async function checkClocks(record) {
  const watch = new Watch(record.entries[0].data);
  for (const entry of record.entries) watch.follow(entry);
  if (watch.unsure) throw new NotChecked(NEEDS_RULES);
}

/** Who could be on the clock, and when its first time could run out. */
class Watch {
  constructor(created) {
    this.clock = created.clock;
    this.bots = new Map();
    this.withdrawn = new Set();
    this.started = 0;
    this.unsure = false;
  }

  follow(entry) {
    const { type, data } = entry;
    if (type === "seat_taken") this.bots.set(data.seat, data.bot !== null);
    else if (type === "seat_left") this.bots.delete(data.seat);
    else if (type === "game_started") this.started = milliseconds(entry.at);
    else if (type === "action_taken") this.unsure ||= this.isBound(entry.actor.seat);
    else if (type === "seat_withdrawn") {
      if (data.cause === "timed_out") this.judge(entry, [data.seat]);
      this.withdrawn.add(data.seat);
    } else if (type === "game_aborted" && data.reason === "all_timed_out") {
      this.judge(entry, [...this.bots.keys()].filter((seat) => !this.withdrawn.has(seat)));
    } else if (type === "game_aborted" && data.reason === "abandoned") {
      this.unsure ||= [...this.bots.keys()].some((seat) => this.isBound(seat));
    }
  }

  /** Has this seat a deadline whenever it is to act? */
  isBound(seat) {
    return this.clock !== null && !this.bots.get(seat) && !this.withdrawn.has(seat);
  }

  /** Can all these seats have run out of time? */
  judge(entry, late) {
    this.unsure = true;
    if (this.clock === null) throw new Fault(entry.seq, "there is no clock to run out");
    if (!late.every((seat) => this.isBound(seat))) throw new Fault(entry.seq, "a seat is out of time that no clock binds");
    const seconds = this.clock.turn_seconds ?? this.clock.total_seconds;
    if (milliseconds(entry.at) < this.started + seconds * 1000) {
      throw new Fault(entry.seq, "no clock of this game can have run out by then");
    }
  }
}

// -- 12. settlement ---------------------------------------------------------------------------------------------------

/** What the chances of a game (of the second terms) are worth: who could have chosen the deal. */
function fairness(record) {
  const created = record.entries[0].data;
  if (["position", "fork"].includes(created.origin.kind)) return null;
  if (isSeeded(created)) return "seeded";
  const brought = new Map();
  for (const { type, actor, data } of record.entries) {
    if (type === "seat_left") brought.delete(data.seat);
    else if (type === "seat_taken" && data.bot === null && actor.seat === data.seat) brought.set(data.seat, data);
  }
  const all = [...brought.values()];
  if (all.some((data) => data.entropy_commitment)) return "sealed";
  return all.some((data) => data.entropy) ? "open" : "server_only";
}

/** A settled record as it was audited before it was settled. */
function beforeSettlement(record) {
  const entries = record.entries.slice(0, -1);
  const head = { seq: entries.length, hash: entries.at(-1).hash, signature: null, key_id: null };
  return { ...record, entries, people: [], head };
}

/** Is there a settlement that a check can be asked of? */
const hasSettlement = (record) => termsOf(record) === 2 && record.entries.at(-1).type === "game_settled";

/** The settlement tells of the entries before it what is the case, as far as that goes without the rules. */
async function checkSettlement(record) {
  const settled = record.entries.at(-1);
  if (!isWellFormed(settled, 2)) throw new NotChecked(BROKEN);
  const told = settled.data.audit;
  const before = beforeSettlement(record);
  const made = await verifyEntries(before, openedSeed(record));
  const worth = made[1].verdict === "pass" ? fairness(before) : null;
  const place = record.entries.length;
  if (!same(told.checks.map(({ check }) => check), SETTLED_CHECKS)) {
    throw new Fault(place, `a settlement tells of ${SETTLED_CHECKS.join(", ")}`);
  }
  for (const claimed of told.checks) {
    const found = made.find(({ check }) => check === claimed.check);
    if (!found || found.verdict === "not_checked") continue;
    const right = claimed.verdict === found.verdict && (claimed.check === "commitment" || claimed.entry === found.entry);
    if (!right) throw new Fault(place, `it tells of ${claimed.check} what is not the case`);
  }
  if (told.verdict !== verdict(told.checks)) throw new Fault(place, "its verdict does not follow from its checks");
  if (told.fairness !== worth) throw new Fault(place, "its fairness is not what the log gives");
}

// -- 9. signature -----------------------------------------------------------------------------------------------------

/** The keys that a server lists, or the one key of a file with 64 hex digits: public keys by their ids. */
export async function readKeys(bytes) {
  let listed;
  try {
    const found = decoded(bytes).trim();
    listed = HASH(found) ? [found] : JSON.parse(found).keys.map((key) => key.public_key);
    if (!listed.every(HASH)) throw new TypeError("a public key has 64 hex digits");
  } catch {
    throw new Fault(null, "neither a list of keys (stele-keys.json) nor a public key in hex");
  }
  const named = listed.map(async (hex) => [(await sha256(fromHex(hex))).slice(0, 16), fromHex(hex)]);
  return new Map(await Promise.all(named));
}

async function isGenuine(signature, publicKey, message) {
  let key;
  try {
    key = await crypto.subtle.importKey("raw", publicKey, { name: "Ed25519" }, false, ["verify"]);
  } catch {
    throw new NotChecked("this platform has no Ed25519");
  }
  return hexadecimal(128)(signature) && crypto.subtle.verify({ name: "Ed25519" }, key, fromHex(signature), message);
}

/** The head is signed, by one of these keys. */
async function checkSignature(record, keys) {
  const { seq, hash, signature, key_id: id } = record.head;
  if (signature === null) throw new NotChecked("the head is not signed");
  if (!keys.size) throw new NotChecked("no key was given to check it with");
  if (!keys.has(id)) throw new Fault(seq, "the head is signed with another key");
  const message = bytesOf(`stele-head-1\n${record.game}\n${seq}\n${hash}\n`);
  if (!(await isGenuine(signature, keys.get(id), message))) {
    throw new Fault(seq, "the signature is not that of this head by this key");
  }
}

// -- the whole --------------------------------------------------------------------------------------------------------

/** Every check of an audit that applies, made or not. A game that is not settled needs the server's seed told. */
export async function verify(record, { keys = new Map(), serverSeed = null } = {}) {
  const checks = await verifyEntries(record, openedSeed(record) ?? serverSeed);
  if (hasSettlement(record)) checks.push(await run("settlement", checkSettlement, record));
  if (checks[1].verdict === "pass") checks.push(await run("signature", checkSignature, record, keys));
  return complete(checks);
}

/** Checks 1 to 4 and 11; behind a broken form nothing else can be read. */
async function verifyEntries(record, seed) {
  const checks = [await run("chain", checkChain, record), await run("schema", checkSchema, record)];
  const rest = [
    ["commitment", checkCommitment],
    ["random", checkRandom],
  ];
  if (termsOf(record) === 2) rest.push(["clocks", checkClocks]);
  for (const [name, checker] of rest) {
    const readable = checks[1].verdict === "pass";
    checks.push(readable ? await run(name, checker, record, seed) : told(name, "not_checked", null, BROKEN));
  }
  return checks;
}

/** All checks that apply, in their order; those that were not made say why. */
function complete(checks) {
  const found = new Map(checks.map((check) => [check.check, check]));
  return CHECKS.filter((name) => found.has(name) || !NEWER_CHECKS.includes(name)).map((name) => {
    const why = RULE_CHECKS.includes(name) ? NEEDS_RULES : BROKEN;
    return found.get(name) ?? told(name, "not_checked", null, why);
  });
}

const told = (check, verdict, entry = null, detail = null) => ({ check, verdict, entry, detail });

/** Make one check and say what came of it. */
async function run(name, checker, ...given) {
  try {
    await checker(...given);
    return told(name, "pass");
  } catch (found) {
    if (found instanceof Fault) return told(name, "fail", found.entry, found.message);
    if (found instanceof NotChecked) return told(name, "not_checked", null, found.message);
    throw found;
  }
}

/** `fail` if any failed, `incomplete` if any was not checked, otherwise `pass`. */
export function verdict(checks) {
  const found = new Set(checks.map((check) => check.verdict));
  return found.has("fail") ? "fail" : found.has("not_checked") ? "incomplete" : "pass";
}

/** Verify the bytes of a record: what cannot be read fails by its form. */
export async function verifyBytes(bytes, given = {}) {
  let record;
  try {
    record = readRecord(bytes);
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return complete([told("schema", "fail", fault.entry, fault.message)]);
  }
  return verify(record, given);
}

// -- on the command line ----------------------------------------------------------------------------------------------

function report(checks, asJson) {
  if (asJson) {
    console.log(JSON.stringify({ verdict: verdict(checks), checks }, null, 1));
    return;
  }
  for (const { check, verdict: found, entry, detail } of checks) {
    console.log(`${check.padEnd(11)} ${found}${entry ? ` (entry ${entry})` : ""}${detail ? `: ${detail}` : ""}`);
  }
  console.log(`verdict     ${verdict(checks)}`);
}

async function main(given) {
  const { readFile } = await import("node:fs/promises");
  const at = given.indexOf("--key");
  const keyFile = at >= 0 ? given[at + 1] : undefined;
  const rest = keyFile === undefined ? given : given.filter((_, place) => place !== at && place !== at + 1);
  const files = rest.filter((argument) => !argument.startsWith("--"));
  if (files.length !== 1 || rest.some((argument) => argument !== "--json" && argument !== files[0])) {
    console.error(USAGE);
    return 2;
  }
  try {
    const keys = keyFile === undefined ? new Map() : await readKeys(await readFile(keyFile));
    const checks = await verifyBytes(await readFile(files[0]), { keys });
    report(checks, rest.includes("--json"));
    return { pass: 0, fail: 1, incomplete: 2 }[verdict(checks)];
  } catch (problem) {
    if (problem instanceof Fault) console.error(`cannot use ${keyFile}: ${problem.message}`);
    else if (problem.code && problem.path) console.error(`cannot read ${problem.path}: ${problem.code}`);
    else throw problem;
    return 2;
  }
}

async function isStarted() {
  const [{ realpath }, { pathToFileURL }] = await Promise.all([import("node:fs/promises"), import("node:url")]);
  const started = await realpath(process.argv[1] ?? "").catch(() => "");
  return started !== "" && import.meta.url === pathToFileURL(started).href;
}

if (globalThis.process?.versions?.node) {
  globalThis.crypto ??= (await import("node:crypto")).webcrypto; // node 18 keeps it there
  if (await isStarted()) process.exitCode = await main(process.argv.slice(2));
}
