/** A game, seen and played by one caller. */

import { Problem } from "./problem.js";
import { type SeatKey, Signer, beforeLatestAction, seatOf } from "./signing.js";
import { type Following, type Message, follow } from "./stream.js";
import type { Request, Transport, Values } from "./transport.js";
import type { Acted, Action, Event, Frame, Game, Hint, LegalActions, Moment, Query, Review, RulesetId, Schemas } from "./types.js";

const SIGNATURE = "Stele-Signature";
/** How often something is signed anew, because the game has gone on since the seat looked. */
const SIGNED_ANEW = 8;

export interface Looking {
  /** Also what you may do, in `actions`. */
  actions?: boolean;
  /** The full state: for operators, and for everyone once the game is settled. */
  full?: boolean;
  /** The code of a private game, for who has no token. */
  joinCode?: string;
}

export interface Acting {
  /** Refuse unless this is the decision that the seat has to make: nothing is done twice by mistake. */
  decision?: number | null | undefined;
  /** Refuse unless the game is at this version. */
  version?: number;
  /** Also what you may do then, in `actions`. */
  actions?: boolean;
}

export interface FollowingAGame extends Following {
  /** Open the stream by tickets in the address in place of the header, as an `EventSource` would. */
  tickets?: boolean;
}

/** A moment at which a seat is to act. */
export interface Turn<R extends RulesetId = RulesetId> extends Frame<R> {
  actions: Action<R>[];
  decision: number;
  /** Act on this very decision: one action, or several in a row. */
  act(action: Action<R> | Action<R>[]): Promise<Acted<R>>;
}

/** The next game of the same people, and the caller's seat there. */
export interface Rematch<R extends RulesetId = RulesetId> {
  game: Game<R>;
  /** Null for a host, whose `game` has a token beside each seat that it has filled. */
  seat: number | null;
  token: string | null;
  table: Table<R>;
}

export class Table<R extends RulesetId = RulesetId> {
  readonly path: string;
  readonly #seen = new Map<string, { tag: string; game: Game<R> }>();

  readonly #signer: Signer | undefined;

  /** `key` is what the seat of the transport's token signs with, if it has a key. */
  constructor(
    readonly transport: Transport,
    readonly id: string,
    readonly key?: SeatKey | undefined,
  ) {
    this.path = `/v1/games/${id}`;
    const seat = seatOf(transport.settings.token);
    this.#signer = key && seat !== undefined ? new Signer(id, seat, key) : undefined;
  }

  /** The same game, for another caller, and with the key of its seat if it has one. */
  as(token: string | undefined, key?: SeatKey): Table<R> {
    return new Table(this.transport.as(token), this.id, key);
  }

  // -- looking --------------------------------------------------------------------------------------------------------

  /** The game as it stands; what has not changed since the last look is not sent again. */
  async look(looking: Looking = {}): Promise<Game<R>> {
    return this.#look({ ...shape(looking) });
  }

  /** The game as soon as it has more than `version` entries, or after so many seconds as it is. */
  async wait(version: number, seconds = 25, looking: Looking = {}): Promise<Game<R>> {
    return this.#look({ ...shape(looking), after: version, wait: seconds });
  }

  async #look(query: Values): Promise<Game<R>> {
    const name = JSON.stringify([query["view"], query["include"], query["join_code"]]);
    const before = this.#seen.get(name);
    const headers: Record<string, string> = before ? { "If-None-Match": before.tag } : {};
    const answer = await this.#send("", { query, headers });
    const game = answer.status === 304 && before ? before.game : (JSON.parse(answer.text) as Game<R>);
    this.#signer?.see(game, { anew: true });
    if (answer.status === 304) return game;
    this.#seen.set(name, { tag: answer.headers.get("ETag") ?? "", game });
    return game;
  }

  /** What you may do now. */
  legal(): Promise<LegalActions<R>> {
    return this.#json("/actions");
  }

  /** The log after an entry, page by page, to its present end. */
  async *log(after = 0): AsyncGenerator<Event> {
    for (let next: number | null = after; next !== null; ) {
      const page: Schemas["Events"] = await this.#json("/events", { query: { after: next, limit: 1000 } });
      yield* page.items;
      next = page.next;
    }
  }

  /** The game as it stood after each entry; once it is settled also as a seat or a spectator saw it. */
  async *replay(query: { from?: number; to?: number; as?: string } = {}): AsyncGenerator<Moment<R>> {
    for (let next: number | null = query.from ?? 1; next !== null; ) {
      const page: { items: Moment<R>[]; next: number | null } = await this.#json("/replay", {
        query: { ...query, from: next, limit: 200 },
      });
      yield* page.items;
      next = page.next;
    }
  }

  /** Where the log ends, signed. */
  head(): Promise<Schemas["Head"]> {
    return this.#json("/head");
  }

  /** The audit of a settled game. */
  audit(): Promise<Schemas["Audit"]> {
    return this.#json("/audit");
  }

  /** Where the server's transparency log holds the beginning and the end of the game, with what proves it. */
  proof(): Promise<Schemas["Proofs"]> {
    return this.#json("/proof");
  }

  /** The game as it stood after one entry. */
  moment(version: number, query: { as?: string; include?: "actions" } = {}): Promise<Moment<R>> {
    return this.#json(`/replay/${version}`, { query });
  }

  /** The games that began from positions of this one. */
  async forks(): Promise<Schemas["ForkRow"][]> {
    return (await this.#json<Schemas["Forks"]>("/forks")).items;
  }

  /** The review of a settled game, or how far it is; a problem with the code `no_review` if none was begun. */
  review(): Promise<Review> {
    return this.#json("/review");
  }

  /** Have a settled game reviewed: for its seats, its host and operators. How far it is. */
  beginReview(): Promise<Review> {
    return this.#json("/review", { method: "POST" });
  }

  /** Stop a review that is being made, or drop one that is there. */
  async dropReview(): Promise<void> {
    await this.#send("/review", { method: "DELETE" });
  }

  /** A good move for your seat as the game stands; undefined while it is being made, the problem `no_hint` if none was asked for. */
  async hint(query: { lang?: "en" | "fr" } = {}): Promise<Hint<R> | undefined> {
    const answer = await this.#send("/hint", { query });
    return answer.status === 202 ? undefined : (JSON.parse(answer.text) as Hint<R>);
  }

  /** Have a good move found, where bots sit at all other seats: `hint` has it a moment later. */
  async askForHint(): Promise<void> {
    await this.#send("/hint", { method: "POST" });
  }

  /** The portable record of a settled game. */
  record(): Promise<Schemas["Record"]> {
    return this.#json("/record");
  }

  /** A read-only pass for ten minutes, for addresses (`?ticket=`). */
  ticket(): Promise<Schemas["Ticket"]> {
    return this.#json("/tickets", { method: "POST" });
  }

  /** An address for an `<img>`: the board as you see it, for ten minutes. */
  async boardAddress(query: { as?: string; lang?: "en" | "fr"; theme?: "light" | "dark"; version?: number } = {}) {
    return this.#pictureAddress("board.svg", query);
  }

  /** The same as a PNG, so many pixels wide; `card` is what previews of links show. */
  async pictureAddress(query: Omit<NonNullable<Query<"board_now_in_pixels">>, "ticket"> & { version?: number } = {}) {
    return this.#pictureAddress("board.png", query);
  }

  async #pictureAddress(file: string, { version, ...look }: Values): Promise<string> {
    const path = version === undefined ? `/${file}` : `/replay/${version}/${file}`;
    const { ticket } = await this.ticket();
    return this.transport.address(this.path + path, { ...look, ticket });
  }

  // -- playing --------------------------------------------------------------------------------------------------------

  /** Act: one action, or up to 32 in a row up to the first that is refused. A seat with a key signs them. */
  async act(action: Action<R> | Action<R>[], acting: Acting = {}): Promise<Acted<R>> {
    if (!this.#signer) return this.#act(action, acting, {});
    try {
      return await this.#actSigned(this.#signer, action, acting);
    } catch (error) {
      const passed = error instanceof Problem && error.code === "decision_passed";
      if (!passed || typeof acting.decision === "number") throw error;
    }
    await this.look();
    return this.#actSigned(this.#signer, action, acting);
  }

  async #actSigned(signer: Signer, action: Action<R> | Action<R>[], acting: Acting): Promise<Acted<R>> {
    const { decision } = acting;
    if (signer.decision === undefined || (decision ?? signer.decision) !== signer.decision) await this.look();
    const signature = await signer.actions(Array.isArray(action) ? action : [action]);
    return this.#act(action, { ...acting, decision: decision ?? signer.decision }, { [SIGNATURE]: signature });
  }

  #act(action: Action<R> | Action<R>[], acting: Acting, signed: Record<string, string>): Promise<Acted<R>> {
    const query = { decision: acting.decision ?? undefined, include: acting.actions ? "actions" : undefined };
    const headers = acting.version === undefined ? signed : { ...signed, "If-Match": `"${acting.version}"` };
    return this.#acted("/actions", { method: "POST", body: action, query, headers, changes: true });
  }

  async #acted(part: string, request: Request): Promise<Acted<R>> {
    const acted = await this.#json<Acted<R>>(part, request);
    this.#signer?.see(acted);
    return acted;
  }

  /** Send what is signed over the latest entry: if the game goes on meanwhile, it is signed anew. */
  async #actAtHead(signer: Signer, part: string, body: unknown, sign: () => Promise<string>): Promise<Acted<R>> {
    for (let rest = SIGNED_ANEW; ; rest--) {
      await this.look();
      const headers = { "If-Match": `"${signer.version}"`, [SIGNATURE]: await sign() };
      try {
        return await this.#acted(part, { method: "POST", body, headers, changes: true });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "version_conflict" || !rest) throw error;
      }
    }
  }

  /** Would this action be accepted now? */
  check(action: Action<R>): Promise<Schemas["DryRun"]> {
    return this.#json("/actions/check", { method: "POST", body: action });
  }

  /** Give up. */
  resign(): Promise<Acted<R>> {
    const signer = this.#signer;
    if (signer) return this.#actAtHead(signer, "/resignation", undefined, () => signer.resignation());
    return this.#acted("/resignation", { method: "POST", changes: true });
  }

  /** Sit down, or seat a bot: a player gets a table of its own, and signs with `key` if it brings one. */
  async sit(sitter: Schemas["SeatRequest"], key?: SeatKey): Promise<Schemas["Seated"] & { table: Table<R> }> {
    const body = { ...sitter, public_key: key?.publicKey };
    const seated = await this.#json<Schemas["Seated"]>("/seats", { method: "POST", body, changes: true });
    return { ...seated, table: seated.token === null ? this : this.as(seated.token, key) };
  }

  /** Tell what was sealed when sitting down. */
  openSeal(seat: number, entropy: string): Promise<Schemas["Seated"]> {
    return this.#json(`/seats/${seat}/entropy`, { method: "POST", body: { entropy }, changes: true });
  }

  /** Take back your latest actions, back to version `to` (else the latest one). */
  async takeBack(to?: number): Promise<Acted<R>> {
    const signer = this.#signer;
    const back = signer && to === undefined ? await this.#latest() : to;
    const body = back === undefined ? {} : { to: back };
    if (signer && back !== undefined) {
      return this.#actAtHead(signer, "/takebacks", body, () => signer.takeback(back));
    }
    return this.#acted("/takebacks", { method: "POST", body, changes: true });
  }

  /** The version before this seat's latest action, which a signature has to name. */
  async #latest(): Promise<number | undefined> {
    const { takeback } = await this.look();
    if (takeback === null) return undefined;
    const events: Event[] = [];
    for await (const event of this.log(takeback)) events.push(event);
    return beforeLatestAction(takeback, events);
  }

  /** Ask for a pause or agree to one; the host pauses alone. */
  pause(): Promise<Acted<R> | Game<R>> {
    return this.#json("/pause", { method: "POST", changes: true });
  }

  /** End a pause. */
  resume(): Promise<Acted<R>> {
    return this.#json("/resume", { method: "POST", changes: true });
  }

  /** Give a seat more time, as its host. */
  addTime(seat: number, seconds: number): Promise<Acted<R>> {
    return this.#json(`/seats/${seat}/time`, { method: "POST", body: { seconds }, changes: true });
  }

  /** Let another person take over a seat, as its host; a seat itself names nobody, and gets a code to hand on. */
  handOver(seat: number, person: Schemas["Handover"] = {}): Promise<Schemas["HandoverCode"]> {
    return this.#json(`/seats/${seat}/handover`, { method: "POST", body: person, changes: true });
  }

  /**
   * Take over a seat by its code: the table as that seat. Another person may bring a key; without a name it is the same
   * person on another device, with the same key.
   */
  async takeOver(seat: number, taking: Schemas["Takeover"], key?: SeatKey): Promise<Table<R>> {
    const body = { ...taking, public_key: taking.name === undefined ? undefined : key?.publicKey };
    const request = { method: "POST", body, changes: true } as const;
    const { token } = await this.#json<Schemas["Token"]>(`/seats/${seat}/takeover`, request);
    return this.as(token, key);
  }

  /** Play again with the same people: the next game, as your seat there. A host asks for everybody, and has none. */
  async rematch(brought: Schemas["RematchRequest"] = {}, key?: SeatKey): Promise<Rematch<R>> {
    const body = { ...brought, public_key: key?.publicKey };
    const request = { method: "POST", body, changes: true } as const;
    const { game, seat, token } = await this.#json<Schemas["JoinedRematch"]>("/rematch", request);
    const table = new Table<R>(this.transport, game.id);
    return { game: game as Game<R>, seat, token, table: token === null ? table : table.as(token, key) };
  }

  /** Whether somebody has asked for a rematch; held for so many seconds until somebody has. */
  rematchStatus(wait?: number): Promise<Schemas["Rematch"]> {
    return this.#json("/rematch", { query: { wait } });
  }

  /** Have your seat told by Web Push, once in each of its turns and at the end: `push` is the browser's subscription. */
  notify(seat: number, wanted: Schemas["Notifications"]): Promise<Schemas["NotificationsSet"]> {
    return this.#json(`/seats/${seat}/notifications`, { method: "PUT", body: wanted });
  }

  /** Have your seat told nothing more. */
  async stopNotifying(seat: number): Promise<void> {
    await this.#send(`/seats/${seat}/notifications`, { method: "DELETE" });
  }

  /** Give up a seat while the game is open. */
  leave(seat: number): Promise<Schemas["Left"]> {
    return this.#json(`/seats/${seat}`, { method: "DELETE", changes: true });
  }

  /** Make a new token for a seat, as its host: the table as that seat. The old one holds no more. */
  async renewToken(seat: number, key?: SeatKey): Promise<Table<R>> {
    const { token } = await this.#json<Schemas["Token"]>(`/seats/${seat}/token`, { method: "POST", changes: true });
    return this.as(token, key);
  }

  /** End a game that cannot be played to its end, as its host, and say why. */
  adjudicate(judged: Schemas["Adjudication"]): Promise<Game<R>> {
    return this.#json("/adjudication", { method: "POST", body: judged, changes: true });
  }

  /** Call the game off, as who may. */
  abort(): Promise<Game<R>> {
    return this.#json("/abort", { method: "POST", changes: true });
  }

  /** Begin a new game where this one, settled, stood after an entry. */
  fork(wanted: Schemas["Fork"]): Promise<Game<R>> {
    return this.#json("/forks", { method: "POST", body: wanted, changes: true });
  }

  // -- live -------------------------------------------------------------------------------------------------------------

  /** Every event after `after` (else from the first), live, without a gap, until the game is settled. */
  async *events(following: FollowingAGame = {}): AsyncGenerator<Event> {
    for await (const message of this.#follow({}, following)) {
      const event = JSON.parse(message.data) as Event;
      yield event;
      if (event.type === "game_settled") return;
    }
  }

  /** How the game stands, now and after each event, until it is settled: nothing need be asked again. */
  async *frames(following: FollowingAGame & { actions?: boolean } = {}): AsyncGenerator<Frame<R>> {
    const query = { frames: true, include: following.actions ? "actions" : undefined };
    for await (const message of this.#follow(query, following)) {
      const frame = JSON.parse(message.data) as Frame<R>;
      this.#signer?.see({ ...frame, hash: frame.event.hash });
      yield frame;
      if (frame.event.type === "game_settled") return;
    }
  }

  /** Every decision that this seat has to make, until the game is over; one that is let pass comes again. */
  async *turns(following: FollowingAGame = {}): AsyncGenerator<Turn<R>> {
    let made = -1;
    const rewound = (): void => {
      made = -1;
      following.rewound?.();
    };
    for await (const frame of this.frames({ ...following, rewound, actions: true })) {
      if (frame.status === "ended" || frame.status === "aborted") return;
      const [seat] = frame.actions?.length ? await this.#seat() : [];
      const decision = seat === undefined ? undefined : frame.decisions[seat];
      if (!frame.actions || decision === undefined || decision <= made) continue;
      const act = async (action: Action<R> | Action<R>[]): Promise<Acted<R>> => {
        const acted = await this.act(action, { decision });
        made = decision;
        return acted;
      };
      yield { ...frame, actions: frame.actions, decision, act };
    }
  }

  #own: Promise<[number] | []> | undefined;

  /** The caller's seat, which is asked for once. */
  #seat(): Promise<[number] | []> {
    this.#own ??= this.legal().then(({ seat }) => (seat === null ? [] : [seat]));
    return this.#own;
  }

  #follow(query: Values, { tickets, ...wanted }: FollowingAGame): AsyncGenerator<Message> {
    const headers = { Accept: "text/event-stream" };
    const rewound = (): void => {
      this.#seen.clear();
      this.#signer?.forget();
      wanted.rewound?.();
    };
    const following = { ...wanted, rewound, patience: wanted.patience ?? this.transport.settings.patience };
    if (!tickets) {
      const open = (after: string | undefined, signal: AbortSignal): Promise<Response> => {
        const last: Record<string, string> = after === undefined ? {} : { "Last-Event-ID": after };
        return this.transport.open(`${this.path}/events`, { query, headers: { ...headers, ...last } }, signal);
      };
      return follow(open, following);
    }
    const bare = this.transport.as(undefined);
    let ticket: string | undefined;
    const open = async (after: string | undefined, signal: AbortSignal): Promise<Response> => {
      const held = ticket !== undefined;
      ticket ??= (await this.ticket()).ticket;
      try {
        return await bare.open(`${this.path}/events`, { query: { ...query, after, ticket }, headers }, signal);
      } catch (error) {
        ticket = undefined;
        if (held && error instanceof Problem && [401, 404].includes(error.status)) return open(after, signal);
        throw error;
      }
    };
    return follow(open, following);
  }

  #send(part: string, request: Request) {
    return this.transport.send(this.path + part, request);
  }

  #json<T>(part: string, request: Request = {}): Promise<T> {
    return this.transport.json(this.path + part, request);
  }
}

function shape(looking: Looking): Values {
  return {
    include: looking.actions ? "actions" : undefined,
    view: looking.full ? "full" : undefined,
    join_code: looking.joinCode,
  };
}
