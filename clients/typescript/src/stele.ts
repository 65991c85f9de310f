/** A server: its games, those that are played and those that can be. */

import { Problem } from "./problem.js";
import { type SeatKey, createSeatKey } from "./signing.js";
import { type Following, follow } from "./stream.js";
import { Table } from "./table.js";
import { type Settings, Transport, type Values } from "./transport.js";
import type { Game, NewGame, Query, Ruleset, RulesetId, Schemas } from "./types.js";

/** A game that was created: as it is, and a table for each seat that got a token. */
export interface Created<R extends RulesetId = RulesetId> {
  game: Game<R>;
  table: Table<R>;
  /** `key` is what the seat signs with, where that was asked for: to be kept beside the token. */
  seats: { seat: number; token: string; key?: SeatKey | undefined; table: Table<R> }[];
}

/** One of many games that were created: its table, and one for each seat that got a token. */
export type Batched = Omit<Created, "game">;

export interface Listening extends Following {
  /** Only of games with this tag. */
  tag?: string;
  /** Only of these types. */
  types?: Schemas["Happening"]["type"][];
}

/** Something that happened, and where to go on after it. */
export type Heard = Schemas["Happening"] & { after: string | undefined };

export class Stele {
  readonly transport: Transport;

  constructor(url: string, settings: Settings = {}) {
    this.transport = new Transport(url, settings);
  }

  /** Every game that can be played. */
  async rulesets(): Promise<Ruleset[]> {
    return (await this.transport.json<Schemas["Rulesets"]>("/v1/rulesets")).items;
  }

  /** All about one of them. */
  ruleset(id: string): Promise<Ruleset> {
    return this.transport.json(`/v1/rulesets/${id}`);
  }

  /** The rules of one of them in short, as data. */
  guide(id: string, query: Query<"show_guide"> = {}): Promise<Schemas["Guide"]> {
    return this.transport.json(`/v1/rulesets/${id}/guide`, { query });
  }

  /** Its lessons: `create` begins one by its id (`lesson`). */
  async lessons(id: string, query: Query<"show_lessons"> = {}): Promise<Schemas["Lesson"][]> {
    return (await this.transport.json<Schemas["Lessons"]>(`/v1/rulesets/${id}/lessons`, { query })).items;
  }

  /** An address for an `<img>`: a board of it in the middle of a game. */
  exampleBoardAddress(id: string, query: Query<"show_example_board"> = {}): string {
    return this.transport.address(`/v1/rulesets/${id}/board.svg`, query);
  }

  /** Create a game. `signed` makes a key for each person named: their seats sign what they do. */
  async create<R extends RulesetId>(wanted: NewGame<R>, { signed = false } = {}): Promise<Created<R>> {
    const named = wanted.players ?? [];
    const keys = await Promise.all(named.map(({ bot }) => (signed && !bot ? createSeatKey() : undefined)));
    const players = named.map((player, seat) => ({ ...player, public_key: keys[seat]?.publicKey ?? player.public_key }));
    const body = wanted.players ? { ...wanted, players } : wanted;
    const game = await this.transport.json<Game<R>>("/v1/games", { method: "POST", body, changes: true });
    const table = this.table<R>(game.id);
    const seats = game.seats.flatMap(({ seat, token }) => {
      const key = keys[seat];
      return token ? [{ seat, token, key, table: table.as(token, key) }] : [];
    });
    return { game, table, seats };
  }

  /** Create up to 200 games at once, as a host: if one would be refused, none is. Their keys make a retry safe. */
  async createMany(items: (NewGame & { key: string })[]): Promise<Batched[]> {
    const request = { method: "POST", body: { items } } as const;
    const made = await this.transport.json<Schemas["Batch"]>("/v1/games/batch", request);
    return made.items.map(({ id, seats }) => {
      const table = this.table(id);
      return { table, seats: seats.map((each) => ({ ...each, table: table.as(each.token) })) };
    });
  }

  /** A game by its id, for this caller or for who has a token of its own, and perhaps a key. */
  table<R extends RulesetId = RulesetId>(
    id: string,
    token = this.transport.settings.token,
    key?: SeatKey,
  ): Table<R> {
    return new Table<R>(this.transport.as(token), id, key);
  }

  /** The lobby, page by page, newest first. */
  games(query: Omit<NonNullable<Query<"list_games">>, "cursor"> = {}): AsyncGenerator<Schemas["LobbyRow"]> {
    return this.#pages("/v1/games", query);
  }

  /** How settled games ended, latest first. */
  results(query: Omit<NonNullable<Query<"list_results">>, "cursor"> = {}): AsyncGenerator<Schemas["Result"]> {
    return this.#pages("/v1/results", query);
  }

  /** What players have achieved, most points first. */
  standings(query: Omit<NonNullable<Query<"list_standings">>, "cursor"> = {}): AsyncGenerator<Schemas["Standing"]> {
    return this.#pages("/v1/standings", query);
  }

  /** The key with which a browser subscribes to push messages of this server (`applicationServerKey`). */
  async pushKey(): Promise<string> {
    const { key } = await this.transport.json<Schemas["PushKey"]>("/v1/push-key");
    return key;
  }

  /** How strong the players of a host are in a ruleset, best first. */
  ratings(query: Omit<Query<"list_ratings">, "cursor">): AsyncGenerator<Schemas["Rating"]> {
    return this.#pages("/v1/ratings", query);
  }

  /** How another page shows the public game at this address of the server (oEmbed). */
  oembed(url: string, query: Omit<Query<"oembed">, "url"> = {}): Promise<Schemas["OEmbed"]> {
    return this.transport.json("/v1/oembed", { query: { ...query, url } });
  }

  /** The public keys with which the server's heads are checked. */
  async signingKeys(): Promise<Schemas["Key"][]> {
    return (await this.transport.json<Schemas["Keys"]>("/.well-known/stele-keys.json")).keys;
  }

  /** The audit of a record from anywhere; with `keep` an operator has the server keep its game. */
  auditRecord(record: Schemas["Record"], { keep = false } = {}): Promise<Schemas["Audit"]> {
    const query = { import: keep ? "true" : undefined };
    return this.transport.json("/v1/records", { method: "POST", body: record, query });
  }

  /**
   * The records of all settled games that you may see, latest first. A list that breaks off, or ends with a problem, throws:
   * `cursor`, the game of the last record that came, goes on.
   */
  async *export(query: Query<"export_games"> = {}, signal?: AbortSignal): AsyncGenerator<Schemas["Record"]> {
    const stop = new AbortController();
    const given = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    try {
      const { body } = await this.transport.open("/v1/export", { query }, given);
      let rest = "";
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
        const lines = (rest + read.value).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          const record = JSON.parse(line) as Schemas["Record"] & { code?: string; status?: number };
          if (record.code !== undefined) throw Problem.of(record.status ?? 500, line);
          yield record;
        }
      }
    } finally {
      stop.abort();
    }
  }

  /** Have what happens sent to an address, signed with the `secret` of the answer. */
  addWebhook(wanted: Schemas["NewWebhook"]): Promise<Schemas["Webhook"]> {
    return this.transport.json("/v1/webhooks", { method: "POST", body: wanted, changes: true });
  }

  /** Your webhooks, and how they fare. */
  async webhooks(): Promise<Schemas["Webhook"][]> {
    return (await this.transport.json<Schemas["Webhooks"]>("/v1/webhooks")).items;
  }

  /** Have nothing more sent there. One that is gone already is fine. */
  async removeWebhook(id: string): Promise<void> {
    try {
      await this.transport.send(`/v1/webhooks/${id}`, { method: "DELETE" });
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
    }
  }

  /** Have an event of type `test` sent there: its id. */
  async testWebhook(id: string): Promise<string> {
    return (await this.transport.json<Schemas["WebhookTest"]>(`/v1/webhooks/${id}/test`, { method: "POST" })).id;
  }

  /** Is the server up and able to serve? Asked once. */
  async isReady(): Promise<boolean> {
    try {
      await new Transport(this.transport.url, { ...this.transport.settings, patience: 0 }).send("/readyz");
      return true;
    } catch {
      return false;
    }
  }

  /** What happens in all games of the calling host, live and without a gap; `after` is the id of a message. */
  async *feed({ tag, types, ...following }: Listening = {}): AsyncGenerator<Heard> {
    const query = { tag, types: types?.join() };
    const open = (after: string | undefined, signal: AbortSignal): Promise<Response> => {
      const last: Record<string, string> = after === undefined ? {} : { "Last-Event-ID": after };
      return this.transport.open("/v1/feed", { query, headers: { Accept: "text/event-stream", ...last } }, signal);
    };
    const patience = following.patience ?? this.transport.settings.patience;
    for await (const { id, data } of follow(open, { ...following, patience })) {
      yield { after: id, ...(JSON.parse(data) as Schemas["Happening"]) };
    }
  }

  async *#pages<Item>(path: string, query: Values): AsyncGenerator<Item> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: { items: Item[]; next: string | null } = await this.transport.json(path, {
        query: { ...query, cursor: cursor ?? undefined },
      });
      yield* page.items;
      cursor = page.next;
    }
  }
}
