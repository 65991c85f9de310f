#!/usr/bin/env node
/**
 * Verify the record of a Stele game with nothing but this file, in node (18 or later) or in a browser.
 *
 *     node verify.mjs RECORD.json [--key KEYS] [--json] [--require-proofs]
 *                     [--checkpoint FILE [--log PLACE]] [--cosigners FILE]
 *
 *     import { readRecord, readKeys, verify, verdict } from "./verify.mjs";
 *     const checks = await verify(readRecord(bytes), { keys: await readKeys(keyBytes) });
 *
 * It checks what needs no knowledge of any game's rules: the chain of hashes, the form and order of the entries, that
 * the opened seed and seals are the ones committed to, that every shuffle is the one the seed gives, that nobody was out
 * of time who cannot have been, and that the settlement says of all this what is true. Where the platform has Ed25519,
 * it also checks what seats with a key have signed and, with KEYS (a server's stele-keys.json, or a file with one public
 * key in hex), the signature of the record's head. If the record has proofs of the server's transparency log, they are
 * checked by the same KEYS; --require-proofs makes their absence a failure. A checkpoint of that log that was kept is held
 * against it by the tiles at PLACE (an address or a directory), and the witnesses whose verifier keys stand in a file are
 * counted. The other checks of an audit need the rules; they are listed as `not_checked`.
 * Exit code: 0 everything passed, 1 something failed, 2 something could not be checked.
 */

const USAGE =
  "node verify.mjs RECORD.json [--key KEYS] [--json] [--require-proofs] [--checkpoint FILE [--log PLACE]] [--cosigners FILE]";
const RULE_CHECKS = ["facts", "states", "components", "outcome"];
const SETTLED_CHECKS = ["chain", "schema", "commitment", "random", ...RULE_CHECKS, "clocks"]; // what a settlement tells of
const NEWER_CHECKS = ["clocks", "settlement", "signatures"]; // what not every game is asked
const CHECKS = [...SETTLED_CHECKS, "settlement", "signature", "signatures", "logged"];
const OPTIONAL_CHECKS = [...NEWER_CHECKS, "logged"]; // what is left out where it does not apply
const ZEROS = "0".repeat(64);
const MAX_DEPTH = 100;
const MAX_SEATS = 64;
const MAX_TAKEBACKS = 100;
const MAX_HANDOVERS = 20;
const MAX_ADDED_SECONDS = 86400;
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

/** By which terms a game is judged: the second or third where its first entry says so, otherwise the first. */
function termsOf(record) {
  const created = record.entries[0].data;
  return isObject(created) && [2, 3].includes(created.terms) ? created.terms : 1;
}

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
  shape(
    { kind: oneOf("fork"), game: isText, version: isNumber, position: isObject },
    { redeal: oneOf("none", "piles") },
  ),
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
const RESERVE_CLOCK = shape({ turn_seconds: isNumber, reserve_seconds: isNumber });
/** What people read of an adjudication or a name: no control characters, nothing that turns the direction of text. */
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
const PLAYER = shape({ name_hash: optional(HASH), ref: optional(isText) });
const SEAT_TAKEN = {
  seat: isNumber,
  player: PLAYER,
  bot: optional(isText),
  entropy: optional((value) => isText(value) && bytesOf(value).length <= 64),
  entropy_commitment: optional(HASH),
};
const ACTION_TAKEN = { action: (value) => isObject(value) && "type" in value, facts: FACTS, random: RANDOM };
const SEAT_WITHDRAWN = { seat: isNumber, cause: oneOf("resigned", "timed_out"), facts: FACTS, random: isEmpty };
const DATA = {
  game_created: shape(GAME_CREATED),
  seat_taken: shape(SEAT_TAKEN),
  entropy_revealed: shape({ seat: isNumber, entropy: HASH }),
  seat_token_renewed: shape({ seat: isNumber, generation: isNumber }),
  game_started: shape({ facts: FACTS, random: RANDOM }),
  action_taken: shape(ACTION_TAKEN),
  seat_withdrawn: shape(SEAT_WITHDRAWN),
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
const SIG = hexadecimal(128);
const SIGNED_ACTION = optional(shape({ decision: isNumber, index: isNumber, sig: SIG }));
const SIGNED_ENTRY = optional(shape({ entry: isNumber, sig: SIG }));
const ORIGIN_WITH_REDEAL = anyOf(
  shape({ kind: oneOf("fresh", "seeded") }),
  shape({ kind: oneOf("position"), position: isObject, seeded: isFlag }),
  shape({ kind: oneOf("fork"), game: isText, version: isNumber, position: isObject, redeal: oneOf("none", "piles") }),
);
const THIRD_DATA = {
  ...NEWER_DATA,
  game_created: shape(
    {
      ...GAME_CREATED,
      clock: optional(anyOf(TURN_CLOCK, TOTAL_CLOCK, RESERVE_CLOCK)),
      origin: ORIGIN_WITH_REDEAL,
      terms: oneOf(3),
      takebacks: isFlag,
      rematch_of: optional(isText),
    },
    { tags: TAGS },
  ),
  seat_taken: shape({ ...SEAT_TAKEN, public_key: optional(HASH), bot_version: optional(isNumber) }),
  action_taken: shape({ ...ACTION_TAKEN, signed: SIGNED_ACTION }),
  taken_back: shape({ seat: isNumber, to: isNumber, signed: SIGNED_ENTRY, facts: isEmpty, random: isEmpty }),
  seat_withdrawn: anyOf(
    shape({ ...SEAT_WITHDRAWN, cause: oneOf("resigned"), signed: SIGNED_ENTRY }),
    shape({ ...SEAT_WITHDRAWN, cause: oneOf("timed_out") }),
  ),
  seat_handed_over: shape({ seat: isNumber, player: PLAYER, generation: isNumber, public_key: optional(HASH) }),
  time_added: shape({
    seat: isNumber,
    seconds: (value) => isNumber(value) && value > 0 && value <= MAX_ADDED_SECONDS,
  }),
  pause_agreed: shape({ seat: isNumber }),
  game_paused: shape({}),
  game_resumed: shape({}),
};
const DATA_BY_TERMS = { 1: DATA, 2: NEWER_DATA, 3: THIRD_DATA };
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
  type: oneOf(...Object.keys(THIRD_DATA)),
  v: oneOf(1),
});
const HEAD = shape({ seq: isNumber, hash: HASH, signature: optional(isText), key_id: optional(isText) });
const PERSON = { seat: isNumber, name: isText, nonce: hexadecimal(32) };
const PEOPLE = each(shape(PERSON));
const FORMER_PEOPLE = each(shape({ ...PERSON, generation: isNumber }));

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
const AT_THE_TABLE = [
  "taken_back",
  "seat_handed_over",
  "time_added",
  "pause_agreed",
  "game_paused",
  "game_resumed",
];
const WHILE_PLAYING = ["game_started", "action_taken", "seat_withdrawn", ...AT_THE_TABLE];
const THIRD_FOLLOWS = {
  ...NEWER_FOLLOWS,
  ...Object.fromEntries(WHILE_PLAYING.map((kind) => [kind, [...PLAYED, ...AT_THE_TABLE]])),
};
const FOLLOWS_BY_TERMS = { 1: FOLLOWS, 2: NEWER_FOLLOWS, 3: THIRD_FOLLOWS };
const PERHAPS_MEMBERS = { 1: ["proofs"], 2: ["proofs"], 3: ["former_people", "proofs"] }; // members that a record may have besides
const MEMBERS = ["format", "game", "ruleset", "ruleset_version", "entries", "people", "head"];

/** Every entry well-formed and in its place; every name the one that was hashed. */
async function checkSchema(record) {
  const known = [...MEMBERS, ...PERHAPS_MEMBERS[termsOf(record)]];
  const odd = [
    ...MEMBERS.filter((name) => !(name in record)),
    ...Object.keys(record).filter((name) => !known.includes(name)),
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

/** The entries that lead to the present state, for take-backs: what can be said of them without the rules. */
class Standing {
  constructor() {
    this.entries = []; // those since the start that were not taken back
    this.states = []; // the state of every entry
    this.latestFacts = new Map(); // the latest entry with facts of each seat that acted, and of what was no action (null)
  }

  /** Go on by an entry that has found its place. */
  follow(place, entry) {
    const { type, data, actor, state } = entry;
    this.states.push(state);
    if (type === "taken_back") {
      while (this.entries.length && this.entries.at(-1).seq > data.to) this.entries.pop();
    } else if ("facts" in data) this.latestFacts.set(type === "action_taken" ? actor.seat : null, place);
    if (state !== null) this.entries.push(entry);
  }

  /** What speaks against a take-back by this seat to this entry. */
  against(seat, to) {
    const others = [...this.latestFacts].filter(([actor]) => actor !== seat).map(([, place]) => place);
    if (to < Math.max(0, ...others)) return "it takes back what another did";
    const at = this.entries.findIndex(({ seq }) => seq === to);
    const actions = this.entries.slice(at + 1).filter(({ type }) => type === "action_taken");
    if (at < 0 || !actions.length) return "there is nothing to take back to that entry";
    return actions.some(({ data }) => data.random.length) ? "it takes back what chance gave" : null;
  }
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
    this.keys = new Map();
    this.holders = new Map(); // the entry by which each seat is held, and the generation with which its holder came
    this.former = new Map(); // the same of those who have handed a seat over, by seat and generation
    this.standing = new Standing();
    this.takebacks = new Map();
    this.handedOver = new Map();
    this.agreed = new Set();
    this.paused = null;
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
    if (this.terms === 3) this.standing.follow(place, entry);
    if (entry.type === "taken_back") {
      const restored = this.standing.states[entry.data.to - 1];
      this.demand(entry.state === restored, "its state is not the one it returns to");
    } else if ("facts" in entry.data) this.demand(entry.state !== null, "it has facts and no state");
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
    if (this.terms === 3) this.demandKey(data);
    const brought = [data.entropy, data.entropy_commitment].filter(Boolean);
    this.demand(brought.length <= 1, "entropy both open and sealed");
    this.demand(!(brought.length && isSeeded(this.created)), "entropy in a seeded game");
    if (data.entropy_commitment) this.closed.add(seat);
    this.taken.set(seat, entry);
    this.holders.set(seat, [this.generations.get(seat) ?? 0, entry]);
    this.seatedAt = entry.at;
  }

  /** A person may have a key, a bot has a version. */
  demandKey(data) {
    const isBot = data.bot !== null;
    this.demand((data.bot_version !== null) === isBot, "a bot has a version, and nobody else");
    this.demand(!(isBot && data.public_key), "a bot has no key");
    if (data.public_key) this.keys.set(data.seat, data.public_key);
  }

  /** Nobody signs who has no key; whether the signatures are right is another check. */
  demandSigner(seat, data) {
    if (data.signed) this.demand(this.keys.has(seat), "signed by a seat that has no key");
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
    this.keys.delete(seat);
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

  action_taken(entry, data) {
    this.demand(this.taken.has(entry.actor.seat), "only a seat acts");
    this.demand(this.paused === null, "the game is paused");
    this.demandSigner(entry.actor.seat, data);
    this.agreed.clear();
  }

  taken_back(entry, data) {
    const { seat, to } = data;
    this.demand(this.created.takebacks, "nothing is taken back in this game");
    this.demandPerson(entry, seat);
    this.demand(this.paused === null, "the game is paused");
    this.demand(to >= (this.handedOver.get(seat)?.at(-1) ?? 0), "it takes back what another did");
    const wrong = this.standing.against(seat, to);
    this.demand(wrong === null, wrong);
    this.takebacks.set(seat, (this.takebacks.get(seat) ?? 0) + 1);
    this.demand(this.takebacks.get(seat) <= MAX_TAKEBACKS, "more often than a seat may");
    this.demandSigner(seat, data);
  }

  /** A person who has not withdrawn does it, for its own seat. */
  demandPerson(entry, seat) {
    this.demand(this.isPlayer(seat) && !this.withdrawn.has(seat), "no player sits there");
    this.demand(entry.actor.seat === seat, "by another actor");
  }

  seat_handed_over(entry, data) {
    const { seat, player, generation } = data;
    this.demand(this.isPlayer(seat) && !this.withdrawn.has(seat), "no player sits there");
    const byItself = entry.actor.seat === seat;
    this.demand(byItself || this.governs(entry.actor), "by another actor");
    this.demand(player.name_hash !== null, "a player has a name");
    this.demand(!(byItself && player.ref), "a ref by another actor");
    this.demand(generation === (this.generations.get(seat) ?? 0) + 1, "not the next generation");
    this.generations.set(seat, generation);
    const [earlier, holder] = this.holders.get(seat);
    this.former.set(`${seat}~${earlier}`, holder);
    this.holders.set(seat, [generation, entry]);
    this.keys.delete(seat);
    if (data.public_key) this.keys.set(seat, data.public_key);
    this.handedOver.set(seat, [...(this.handedOver.get(seat) ?? []), this.place]);
    this.demand(this.handedOver.get(seat).length <= MAX_HANDOVERS, "more often than a seat may");
  }

  time_added(entry, data) {
    this.demand(this.created.clock !== null, "there is no clock");
    this.demand(this.governs(entry.actor), "by another actor");
    this.demand(this.isPlayer(data.seat), "no player sits there");
    this.demand(!this.withdrawn.has(data.seat), "that seat has withdrawn");
  }

  pause_agreed(entry, data) {
    this.demand(this.created.clock !== null, "there is no clock");
    this.demand(this.paused === null, "the game is paused");
    this.demandPerson(entry, data.seat);
    this.demand(!this.agreed.has(data.seat), "that seat has agreed already");
    this.agreed.add(data.seat);
  }

  game_paused(entry) {
    this.demand(this.created.clock !== null, "there is no clock");
    this.demand(this.paused === null, "the game is paused already");
    if (!this.governs(entry.actor)) {
      const { type, actor, req } = this.latest;
      const agreed = type === "pause_agreed" && same(actor, entry.actor) && same(req, entry.req);
      this.demand(agreed, "by another actor");
      this.demandOneMoment(entry);
      const people = [...this.taken.keys()].filter((seat) => this.isPlayer(seat) && !this.withdrawn.has(seat));
      this.demand(people.every((seat) => this.agreed.has(seat)), "not everyone has agreed");
    }
    this.paused = entry;
    this.agreed.clear();
  }

  game_resumed(entry) {
    this.demand(this.paused !== null, "the game is not paused");
    if (this.governs(this.paused.actor)) this.demand(this.governs(entry.actor), "by another actor");
    else this.demandPerson(entry, entry.actor.seat);
    this.paused = null;
  }

  seat_withdrawn(entry, data) {
    const by = data.cause === "resigned" ? { seat: data.seat } : { system: "clock" };
    this.demand(this.isPlayer(data.seat), "no player sits there");
    this.demand(!this.withdrawn.has(data.seat), "that seat has withdrawn already");
    this.demand(same(entry.actor, by), "by another actor");
    this.demandSigner(data.seat, data);
    this.keys.delete(data.seat);
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
    const since = { never_filled: this.createdAt, entropy_withheld: this.seatedAt, abandoned: this.paused?.at };
    const waited = milliseconds(entry.at) - milliseconds(since[reason] ?? this.latest.at);
    const enough = reason === "too_long" ? this.place > limit : waited >= limit * 1000;
    this.demand(enough, "its limit is not reached");
  }

  /** Is this who calls a game off for this reason? */
  mayAbort(actor, reason) {
    if (this.terms > 1 && TIMED_ABORTS.includes(reason)) return actor.system === "clock";
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
    await this.closeFormer(record.former_people ?? []);
  }

  /** Names that are given are the ones hashed; those not given may have been forgotten. */
  async closePeople(people) {
    if (!PEOPLE(people)) throw new Fault(null, "`people` is a list of seat, name and nonce");
    for (const person of people) {
      const { seat } = person;
      if (!this.taken.has(seat)) throw new Fault(null, `a name is given for seat ${seat}, which nobody took`);
      await this.closePerson(person, this.holders.get(seat)[1]);
    }
    if (new Set(people.map((person) => person.seat)).size !== people.length) {
      throw new Fault(null, "a seat is named twice");
    }
  }

  /** The same of those who have handed their seats over. */
  async closeFormer(people) {
    if (!FORMER_PEOPLE(people)) throw new Fault(null, "`former_people` is a list of seat, generation, name and nonce");
    const places = people.map(({ seat, generation }) => `${seat}~${generation}`);
    for (const [index, person] of people.entries()) {
      const holder = this.former.get(places[index]);
      if (!holder) throw new Fault(null, `a name is given for seat ${person.seat}, which nobody handed over`);
      await this.closePerson(person, holder);
    }
    if (new Set(places).size !== places.length) throw new Fault(null, "a seat is named twice");
  }

  /** A name is one that people can read (by the third terms), and the one that this entry has the hash of. */
  async closePerson({ seat, name, nonce }, entry) {
    if (this.terms === 3 && !WHY.test(name)) {
      throw new Fault(null, `the name given for seat ${seat} is none that people can read`);
    }
    if (entry.data.player.name_hash !== (await sha256(joined(fromHex(nonce), bytesOf(name))))) {
      throw new Fault(entry.seq, `the name given for seat ${seat} is not the one hashed`);
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
    this.paused = null;
    this.pauses = 0;
    this.added = new Map();
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
      this.unsure ||= this.paused === null && [...this.bots.keys()].some((seat) => this.isBound(seat));
    } else if (type === "time_added") this.added.set(data.seat, (this.added.get(data.seat) ?? 0) + data.seconds);
    else if (type === "game_paused") this.paused = milliseconds(entry.at);
    else if (type === "game_resumed") {
      this.pauses += milliseconds(entry.at) - this.paused;
      this.paused = null;
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
    if (this.paused !== null) throw new Fault(entry.seq, "the game was paused");
    const ran = milliseconds(entry.at) - this.started - this.pauses;
    if (late.some((seat) => ran < this.shortest(seat) * 1000)) {
      throw new Fault(entry.seq, "no clock of this game can have run out by then");
    }
  }

  /** The seconds that must have passed for a seat to run out of time, however it was played. */
  shortest(seat) {
    const { turn_seconds: turn, total_seconds: total, reserve_seconds: reserve } = this.clock;
    const added = this.added.get(seat) ?? 0;
    if (reserve !== undefined) return turn + reserve + added;
    return total === undefined ? turn : total + added;
  }
}

// -- 12. settlement ---------------------------------------------------------------------------------------------------

/** What the chances of a game (since the second terms) are worth: who could have chosen the deal. */
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
  const members = Object.fromEntries(MEMBERS.map((name) => [name, record[name]]));
  return { ...members, entries, people: [], head };
}

/** Is there a settlement that a check can be asked of? */
const hasSettlement = (record) => termsOf(record) > 1 && record.entries.at(-1).type === "game_settled";

/** The settlement tells of the entries before it what is the case, as far as that goes without the rules. */
async function checkSettlement(record) {
  const settled = record.entries.at(-1);
  if (!isWellFormed(settled, termsOf(record))) throw new NotChecked(BROKEN);
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

// -- 13. signatures of seats ------------------------------------------------------------------------------------------

/** Has any seat a key to sign with? */
const hasKeys = (record) => record.entries.some(({ data }) => data.public_key);

/** Every action, take-back and resignation of a seat with a key is signed by it, over an entry before. What that proves. */
async function checkSignatures(record) {
  const keys = new Map();
  for (const entry of record.entries) {
    const { type, data } = entry;
    const signs = ["action_taken", "taken_back"].includes(type) || (type === "seat_withdrawn" && "signed" in data);
    if (signs) await checkSignedEntry(record, entry, keys);
    if (["seat_taken", "seat_handed_over", "seat_left", "seat_withdrawn"].includes(type)) {
      keys.set(data.seat, data.public_key ?? null);
    }
  }
  return worthOfKeys(record);
}

/** The signature of one entry is that of its seat's key. */
async function checkSignedEntry(record, entry, keys) {
  const { seq, actor, data } = entry;
  const key = keys.get(actor.seat);
  if (!key) return;
  if (data.signed === null) throw new Fault(seq, `seat ${actor.seat} has a key and has not signed it`);
  const over = data.signed.decision ?? data.signed.entry;
  if (over < 1 || over >= seq) throw new Fault(seq, "what is signed is no entry before it");
  if (data.signed.index) checkInList(record.entries[seq - 2], entry);
  const message = await signedMessage(record.game, entry, record.entries[over - 1].hash);
  if (!(await isGenuine(data.signed.sig, fromHex(key), message))) {
    throw new Fault(seq, `its signature is not that of seat ${actor.seat} over this decision`);
  }
}

/** An action further on in a list follows the one before it in that list. */
function checkInList(before, entry) {
  const { decision, index } = entry.data.signed;
  const { signed } = before.data;
  const follows = before.type === "action_taken" && same(before.actor, entry.actor);
  if (!follows || signed?.decision !== decision || signed.index !== index - 1) {
    throw new Fault(entry.seq, "it is signed as part of a list that is not there");
  }
}

/** What a seat signs of an action, a take-back or a resignation, over the entry with this hash. */
async function signedMessage(game, { type, actor, data }, hash) {
  const of = `${game}\n${actor.seat}\n${hash}\n`;
  if (type === "taken_back") return bytesOf(`stele-takeback-1\n${of}${data.to}\n`);
  if (type !== "action_taken") return bytesOf(`stele-resign-1\n${of}`);
  return bytesOf(`stele-act-1\n${of}${data.signed.index}\n${await sha256(bytesOf(canonical(data.action)))}\n`);
}

/** What signatures prove, and for whom. */
function worthOfKeys(record) {
  const parts = ["nobody but the holder of its key acted for a seat, having seen exactly this history"];
  for (const { seq, type, actor, data } of record.entries) {
    if (!["seat_taken", "seat_handed_over"].includes(type) || "seat" in actor) continue;
    const by = callerName(actor);
    if (type === "seat_handed_over") parts.push(`from entry ${seq} on seat ${data.seat} is held by someone whom ${by} named`);
    if (data.public_key) parts.push(`the key of seat ${data.seat} (entry ${seq}) is worth the word of ${by}`);
  }
  return parts.join("; ");
}

/** Who did something, as people say it. */
const callerName = (actor) => ("host" in actor ? "the host" : "operator" in actor ? "an operator" : "who created the game");


// -- 14. logged -------------------------------------------------------------------------------------------------------

const TILE_WIDTH = 256; // hashes in a full tile
const HASH_BYTES = 32;
const NOTE_KEY = 1; // the type of an Ed25519 key that signs notes
const COSIGNATURE_KEY = 4; // the type of a witness's
const DECIMAL = /^(?:0|[1-9][0-9]{0,14})$/;
const PROOFS = shape({ created: optional(isText), settled: optional(isText) });

const leafHash = (leaf) => digest(joined(new Uint8Array([0]), leaf));
const nodeHash = (left, right) => digest(joined(new Uint8Array([1]), left, right));
const half = (number) => Math.floor(number / 2);
const isEqual = (one, other) => compareBytes(one, other) === 0;

/** The root of the tree in which this proof leads up from this leaf's hash; null if it leads nowhere. */
async function rootByInclusion(leaf, index, size, proof) {
  if (index >= size) return null;
  let [hash, at, last] = [leaf, index, size - 1];
  for (const other of proof) {
    if (last === 0) return null;
    if (at % 2 || at === last) {
      hash = await nodeHash(other, hash);
      while (at && at % 2 === 0) [at, last] = [half(at), half(last)];
    } else {
      hash = await nodeHash(hash, other);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? hash : null;
}

/** Does this proof show that the tree of the later root begins with all leaves of the earlier one? */
async function isConsistent(size, root, later, laterRoot, proof) {
  if (size === later) return !proof.length && isEqual(root, laterRoot);
  if (size === 0 || size > later) return size === 0 && !proof.length;
  const path = Number.isInteger(Math.log2(size)) ? [root, ...proof] : proof;
  if (!path.length) return false;
  let [at, last] = [size - 1, later - 1];
  while (at % 2) [at, last] = [half(at), half(last)];
  let [one, other] = [path[0], path[0]];
  for (const step of path.slice(1)) {
    if (last === 0) return false;
    if (at % 2 || at === last) {
      [one, other] = [await nodeHash(step, one), await nodeHash(step, other)];
      while (at && at % 2 === 0) [at, last] = [half(at), half(last)];
    } else {
      other = await nodeHash(other, step);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isEqual(one, root) && isEqual(other, laterRoot);
}

const largestPowerBelow = (number) => 2 ** Math.ceil(Math.log2(number) - 1);

/** The tree of the first leaves of a log, read from its tiles (`tiles(level, number, width)` gives bytes). */
class Tree {
  constructor(size, tiles) {
    Object.assign(this, { size, tiles, read: new Map() });
  }

  /** The proof that the tree begins with the leaves of an earlier one of this size. */
  async consistency(size) {
    if (size <= 0 || size >= this.size) return [];
    const proof = [];
    let [first, end, isWhole] = [0, this.size, true];
    while (size !== end) {
      const middle = first + largestPowerBelow(end - first);
      if (size <= middle) {
        proof.push(await this.over(middle, end));
        end = middle;
      } else {
        proof.push(await this.over(first, middle));
        [first, isWhole] = [middle, false];
      }
    }
    if (!isWhole) proof.push(await this.over(first, end));
    return proof.reverse();
  }

  /** The hash over some leaves, as the tree has it. */
  async over(first, end) {
    const count = end - first;
    if (Number.isInteger(Math.log2(count))) return this.#node(Math.log2(count), first / count);
    const middle = first + largestPowerBelow(count);
    return nodeHash(await this.over(first, middle), await this.over(middle, end));
  }

  async #node(height, index) {
    const [level, above] = [Math.floor(height / 8), height % 8];
    const [tile, offset] = [Math.floor((index * 2 ** above) / TILE_WIDTH), (index * 2 ** above) % TILE_WIDTH];
    const width = Math.min(TILE_WIDTH, Math.floor(this.size / TILE_WIDTH ** level) - tile * TILE_WIDTH);
    const name = `${level}/${tile}`;
    if (!this.read.has(name)) this.read.set(name, await this.tiles(level, tile, width));
    const bytes = this.read.get(name);
    if (bytes.length < width * HASH_BYTES) throw new NotChecked(`the tile ${tilePath(level, tile, width)} is cut off`);
    let row = Array.from({ length: 2 ** above }, (_, place) => bytes.slice((offset + place) * HASH_BYTES, (offset + place + 1) * HASH_BYTES));
    while (row.length > 1) {
      row = await Promise.all(row.filter((_, place) => place % 2 === 0).map((left, pair) => nodeHash(left, row[2 * pair + 1])));
    }
    return row[0];
  }
}

/** Where a tile is found below the log's address. */
export function tilePath(level, tile, width = TILE_WIDTH) {
  const digits = String(tile);
  const parts = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g);
  const name = parts.map((part, place) => (place < parts.length - 1 ? `x${part}` : part)).join("/");
  return `tile/${level}/${name}${width < TILE_WIDTH ? `.p/${width}` : ""}`;
}

function decode64(text) {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw new TypeError("not base 64");
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** A checkpoint (C2SP tlog-checkpoint) from the text of its signed note. */
export function readCheckpoint(note) {
  try {
    const at = note.lastIndexOf("\n\n");
    const [origin, size, root, ...more] = note.slice(0, at).split("\n");
    const lines = note.slice(at + 2).split("\n");
    if (at < 0 || lines.pop() !== "" || !lines.length || !origin || !more.every(Boolean) || !DECIMAL.test(size)) throw new TypeError("form");
    const signatures = lines.map((line) => {
      const [dash, name, signature, ...rest] = line.split(" ");
      if (dash !== "\u2014" || !name || name.includes("+") || rest.length) throw new TypeError("form");
      return [name, decode64(signature)];
    });
    const hash = decode64(root);
    if (hash.length !== HASH_BYTES) throw new TypeError("form");
    return { origin, size: Number(size), root: hash, body: bytesOf(`${note.slice(0, at)}\n`), signatures };
  } catch {
    throw new Fault(null, "not a checkpoint of a transparency log");
  }
}

function readProof(text) {
  try {
    const at = text.indexOf("\n\n");
    const [magic, ...lines] = text.slice(0, at).split("\n");
    if (lines[0]?.startsWith("extra ")) decode64(lines.shift().slice(6));
    const [word, index] = lines.shift().split(" ");
    const path = lines.map(decode64);
    if (at < 0 || magic !== "c2sp.org/tlog-proof@v1" || word !== "index" || !DECIMAL.test(index) || path.some((step) => step.length !== HASH_BYTES)) throw new TypeError("form");
    return { index: Number(index), path, checkpoint: readCheckpoint(text.slice(at + 2)) };
  } catch {
    throw new Fault(null, "not a proof of the transparency log (tlog-proof)");
  }
}

const noteKeyId = async (name, kind, key) => (await digest(joined(bytesOf(`${name}\n`), new Uint8Array([kind]), key))).slice(0, 4);

/** The keys of logs by origin: those that a server lists, or one in hex, under "". */
export function readLogKeys(bytes) {
  try {
    const found = decoded(bytes).trim();
    if (HASH(found)) return new Map([["", fromHex(found)]]);
    const listed = JSON.parse(found).logs ?? [];
    if (!listed.every((log) => isText(log.origin) && HASH(log.public_key))) throw new TypeError("form");
    return new Map(listed.map((log) => [log.origin, fromHex(log.public_key)]));
  } catch {
    throw new Fault(null, "its `logs` are not keys of transparency logs");
  }
}

/** A checkpoint that was kept, as a list of its text. */
function readKeptCheckpoint(bytes) {
  const note = decoded(bytes);
  readCheckpoint(note);
  return [note];
}

/** The names and keys of witnesses: verifier keys of signed notes (name+id+key), one a line. */
export async function readCosigners(bytes) {
  const found = [];
  for (const line of decoded(bytes).trim().split("\n")) {
    try {
      const [, name, digits, encoded] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(line.trim());
      const [kind, ...key] = decode64(encoded);
      const id = await noteKeyId(name, kind, new Uint8Array(key));
      if (key.length !== HASH_BYTES || toHex(id) !== digits) throw new TypeError("form");
      if (kind === COSIGNATURE_KEY) found.push([name, new Uint8Array(key)]);
    } catch {
      throw new Fault(null, "not a verifier key of signed notes (name+id+key)");
    }
  }
  return found;
}

/** Is it signed by the log itself, with this key? A wrong signature by that key is a fault. */
async function isSignedBy(checkpoint, key) {
  const wanted = await noteKeyId(checkpoint.origin, NOTE_KEY, key);
  for (const [name, signature] of checkpoint.signatures) {
    if (name !== checkpoint.origin || !isEqual(signature.slice(0, 4), wanted)) continue;
    if (await isGenuine(toHex(signature.slice(4)), key, checkpoint.body)) return true;
    throw new Fault(null, `the signature of the log ${name} is not of this checkpoint`);
  }
  return false;
}

/** When a witness cosigned (seconds since 1970); null if it did not. */
export async function cosignedAt(checkpoint, name, key) {
  const wanted = await noteKeyId(name, COSIGNATURE_KEY, key);
  for (const [signer, signature] of checkpoint.signatures) {
    if (signer !== name || !isEqual(signature.slice(0, 4), wanted) || signature.length !== 76) continue;
    const at = Number(new DataView(signature.buffer).getBigUint64(4));
    const message = joined(bytesOf(`cosignature/v1\ntime ${at}\n`), checkpoint.body);
    if (await isGenuine(toHex(signature.slice(12)), key, message)) return at;
  }
  return null;
}

const keyOf = (origin, logKeys) => logKeys.get(origin) ?? logKeys.get("");

/** The leaves that the log should hold of this record: `[kind, entry]`. */
function leavesOf(record) {
  const leaves = [];
  if (record.entries.some(({ type }) => type === "game_started")) leaves.push(["created", record.entries[0]]);
  if (record.entries.at(-1).type === "game_settled") leaves.push(["settled", record.entries.at(-1)]);
  return leaves;
}

/**
 * The leaves of this record are in the log, by a checkpoint that the log signed and that continues the `checkpoints` (texts)
 * that were kept; `cosigners` are names and keys of witnesses.
 */
async function checkLogged(record, { required = false, cosigners = [], ...trust }) {
  const { proofs } = record;
  if (proofs === undefined || proofs === null) throw new Fault(null, "the record has no proofs that it was logged");
  if (!PROOFS(proofs)) throw new Fault(null, "its proofs are not those of two leaves");
  const signed = [];
  for (const [kind, entry] of leavesOf(record)) {
    if (proofs[kind] === null) {
      const missing = `there is no proof of the leaf \`${kind}\``;
      throw required ? new Fault(entry.seq, missing) : new NotChecked(missing);
    }
    const leaf = { game: await sha256(bytesOf(record.game)), hash: entry.hash, kind, seq: entry.seq, v: 1 };
    try {
      const proof = readProof(proofs[kind]);
      await checkProof(bytesOf(canonical(leaf)), proof, trust);
      const times = await Promise.all(cosigners.map(([name, key]) => cosignedAt(proof.checkpoint, name, key)));
      signed.push(times.map((at) => at !== null));
    } catch (fault) {
      if (fault instanceof Fault) throw new Fault(entry.seq, fault.message);
      throw fault;
    }
  }
  if (!cosigners.length || !signed.length) return null;
  const everywhere = cosigners.filter((_, witness) => signed.every((each) => each[witness]));
  return `cosigned by ${everywhere.length} of ${cosigners.length} witnesses`;
}

async function checkProof(leaf, { index, path, checkpoint }, { logKeys = new Map(), checkpoints = [], tiles = null }) {
  const root = await rootByInclusion(await leafHash(leaf), index, checkpoint.size, path);
  if (root === null || !isEqual(root, checkpoint.root)) throw new Fault(null, "its proof does not lead from this entry to the log's checkpoint");
  if (!logKeys.size) throw new NotChecked("no key of the transparency log was given");
  const key = keyOf(checkpoint.origin, logKeys);
  if (!key || !(await isSignedBy(checkpoint, key))) {
    throw new Fault(null, `the checkpoint of ${checkpoint.origin} is not signed with a key of that log`);
  }
  for (const kept of checkpoints) await checkAgrees(readCheckpoint(kept), checkpoint, logKeys, tiles);
}

/** A checkpoint of this log that somebody kept is of the same history. */
async function checkAgrees(seen, checkpoint, logKeys, tiles) {
  if (seen.origin !== checkpoint.origin) {
    if (isSuccessor(checkpoint.origin, seen.origin)) {
      throw new Fault(null, `${checkpoint.origin} succeeds the log ${seen.origin}, which was rolled back since`);
    }
    throw new NotChecked(`the checkpoint that was kept is of another log, ${seen.origin}`);
  }
  const isKept = await isSignedBy(seen, keyOf(seen.origin, logKeys)).catch(() => false);
  if (!isKept) throw new NotChecked("the checkpoint that was kept is not signed with a key of that log");
  const [one, other] = seen.size <= checkpoint.size ? [seen, checkpoint] : [checkpoint, seen];
  if (one.size !== other.size && !tiles) {
    throw new NotChecked("the log's tiles are needed to compare it with the checkpoint that was kept");
  }
  const proof = one.size === other.size ? [] : await new Tree(other.size, tiles).consistency(one.size);
  if (!(await isConsistent(one.size, one.root, other.size, other.root, proof))) {
    throw new Fault(null, `its log has another history than the one kept, of ${seen.size} leaves: both are signed`);
  }
}

/** Is this what a log is called that follows on another one, after a rollback? */
function isSuccessor(origin, earlier) {
  const [base] = /^.+(?=\/(?:[2-9]|[1-9]\d+)$)/.exec(earlier) ?? [earlier];
  return origin.startsWith(`${base}/`) && /^(?:[2-9]|[1-9]\d+)$/.test(origin.slice(base.length + 1));
}

/**
 * Is a checkpoint that was kept of the same history as another one? Both are texts; `tiles(level, number, width)` gives
 * the bytes of a tile. Says what was found as a check does: `{check: "history", verdict, entry, detail}`.
 */
export async function compareCheckpoints(kept, latest, { logKeys, tiles }) {
  return run("history", checkHistory, kept, latest, logKeys, tiles);
}

async function checkHistory(kept, latest, logKeys, tiles) {
  const [seen, now] = [readCheckpoint(kept), readCheckpoint(latest)];
  if (seen.origin !== now.origin) {
    throw new Fault(null, `the log ${seen.origin} is not continued: the server shows ${now.origin} instead`);
  }
  const key = keyOf(now.origin, logKeys);
  if (!key || !(await isSignedBy(now, key))) throw new Fault(null, "the checkpoint is not signed with the log's key");
  if (!(await isSignedBy(seen, key))) throw new Fault(null, "the log has another key than before");
  if (now.size < seen.size) throw new Fault(null, `the log had ${seen.size} leaves, and shows ${now.size}`);
  const proof = await new Tree(now.size, tiles).consistency(seen.size);
  if (!(await isConsistent(seen.size, seen.root, now.size, now.root, proof))) {
    throw new Fault(null, `the log has another history than the one seen before, of ${seen.size} leaves: both are signed`);
  }
}

// -- the whole --------------------------------------------------------------------------------------------------------

/** Every check of an audit that applies, made or not. A game that is not settled needs the server's seed told. */
export async function verify(record, { keys = new Map(), serverSeed = null, ...log } = {}) {
  const checks = await verifyEntries(record, openedSeed(record) ?? serverSeed);
  if (hasSettlement(record)) checks.push(await run("settlement", checkSettlement, record));
  if (checks[1].verdict === "pass") {
    checks.push(await run("signature", checkSignature, record, keys));
    if (hasKeys(record)) checks.push(await run("signatures", checkSignatures, record));
    const isAsked = log.required || (record.proofs ?? null) !== null;
    if (isAsked) checks.push(await run("logged", checkLogged, record, log));
  }
  return complete(checks);
}

/** Checks 1 to 4 and 11; behind a broken form nothing else can be read. */
async function verifyEntries(record, seed) {
  const checks = [await run("chain", checkChain, record), await run("schema", checkSchema, record)];
  const rest = [
    ["commitment", checkCommitment],
    ["random", checkRandom],
  ];
  if (termsOf(record) > 1) rest.push(["clocks", checkClocks]);
  for (const [name, checker] of rest) {
    const readable = checks[1].verdict === "pass";
    checks.push(readable ? await run(name, checker, record, seed) : told(name, "not_checked", null, BROKEN));
  }
  return checks;
}

/** All checks that apply, in their order; those that were not made say why. */
function complete(checks) {
  const found = new Map(checks.map((check) => [check.check, check]));
  return CHECKS.filter((name) => found.has(name) || !OPTIONAL_CHECKS.includes(name)).map((name) => {
    const why = RULE_CHECKS.includes(name) ? NEEDS_RULES : BROKEN;
    return found.get(name) ?? told(name, "not_checked", null, why);
  });
}

const told = (check, verdict, entry = null, detail = null) => ({ check, verdict, entry, detail });

/** Make one check and say what came of it; a check that passes may say what that is worth. */
async function run(name, checker, ...given) {
  try {
    return told(name, "pass", null, (await checker(...given)) ?? null);
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

const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text of a record for a terminal: what would control it is shown, not sent. */
const visible = (text) => text.replace(CONTROLS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

function report(checks, asJson) {
  if (asJson) {
    console.log(JSON.stringify({ verdict: verdict(checks), checks }, null, 1));
    return;
  }
  for (const { check, verdict: found, entry, detail } of checks) {
    console.log(`${check.padEnd(11)} ${found}${entry ? ` (entry ${entry})` : ""}${detail ? `: ${visible(detail)}` : ""}`);
  }
  console.log(`verdict     ${verdict(checks)}`);
}

const FILE_OPTIONS = ["--key", "--checkpoint", "--log", "--cosigners"];

/** The options that name a file or a place, and what else was given. */
function readOptions(given) {
  const [options, rest] = [{}, [...given]];
  for (const name of FILE_OPTIONS) {
    const at = rest.indexOf(name);
    if (at >= 0 && at + 1 < rest.length) [, options[name]] = rest.splice(at, 2);
  }
  return [options, rest];
}

/** The tiles of a log that is published at an address (http…), or that lies in a directory. */
function publishedTiles(place, readFile) {
  const read = async (path) => {
    if (!/^https?:\/\//.test(place)) return new Uint8Array(await readFile(`${place}/${path}`));
    const answer = await fetch(`${place.replace(/\/+$/, "")}/${path}`);
    if (!answer.ok) throw new Error(String(answer.status));
    return new Uint8Array(await answer.arrayBuffer());
  };
  return async (level, tile, width) => {
    for (const path of [tilePath(level, tile, width), tilePath(level, tile)]) { // a partial tile may be full by now
      const found = await read(path).catch(() => null);
      if (found) return found;
    }
    throw new NotChecked(`there is no ${tilePath(level, tile, width)} at ${place}`);
  };
}

async function main(given) {
  const { readFile } = await import("node:fs/promises");
  const [options, rest] = readOptions(given);
  const files = rest.filter((argument) => !argument.startsWith("--"));
  if (files.length !== 1 || rest.some((argument) => !["--json", "--require-proofs", files[0]].includes(argument))) {
    console.error(USAGE);
    return 2;
  }
  const ifGiven = async (name, reader, otherwise) => (options[name] ? reader(await readFile(options[name])) : otherwise);
  try {
    const checks = await verifyBytes(await readFile(files[0]), {
      keys: await ifGiven("--key", readKeys, new Map()),
      logKeys: await ifGiven("--key", readLogKeys, new Map()),
      required: rest.includes("--require-proofs"),
      checkpoints: await ifGiven("--checkpoint", readKeptCheckpoint, []),
      cosigners: await ifGiven("--cosigners", readCosigners, []),
      tiles: options["--log"] ? publishedTiles(options["--log"], readFile) : null,
    });
    report(checks, rest.includes("--json"));
    return { pass: 0, fail: 1, incomplete: 2 }[verdict(checks)];
  } catch (problem) {
    if (problem instanceof Fault) console.error(`cannot use ${Object.values(options).join(" or ")}: ${problem.message}`);
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
