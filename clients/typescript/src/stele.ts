/** A server: its games, those that are played and those that can be. */

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
