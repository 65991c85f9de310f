// A program on nothing but the types that openapi-typescript makes of the document: it plays a whole game of each
// ruleset, both seats, at random. Usage: node plays.js URL
import type { components, operations } from "./schema.js";

type Schemas = components["schemas"];
type NewGame = operations["create_game"]["requestBody"]["content"]["application/json"];
type Acted = operations["act"]["responses"][201]["content"]["application/json"];

const server = process.argv[2] ?? "";
let dice = 7;

function choose<T>(items: T[]): T {
  dice = (dice * 48271) % 2147483647;
  const item = items[dice % items.length];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

async function call<Answer>(method: string, path: string, token?: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(server + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  if (answer.ok) return (await answer.json()) as Answer;
  const problem = (await answer.json()) as Schemas["Problem"];
  throw new Error(`${problem.code}: ${problem.detail}`);
}

/** What only the own seat knows, by game: the compiler holds every member that is named here against the document. */
function inHand(game: Schemas["Game"], seat: number): number {
  if (game.view === null) return 0;
  switch (game.ruleset) {
    case "babel":
      return game.view.players[seat]?.hand?.length ?? 0;
    case "aton":
      return game.view.players[seat]?.hand_count ?? 0;
    case "temple_of_five":
      return game.options.will_of_the_gods ? 0 : (game.view.players[seat]?.hand?.length ?? 0);
    case "sa_re":
      return game.view.players[seat]?.stock.joker ?? 0;
  }
}

/** An action in words; a parameter that no action of that type has would not compile. */
function told(action: Schemas["Action"]): string {
  switch (action.type) {
    case "travel":
      return `to ${action.site}`;
    case "exchange":
      return "keep" in action ? `keeps ${action.keep}` : "spends the trade token";
    case "pay":
      return `pays with ${action.source.card ?? action.source.stock ?? "a building"}`;
    default:
      return action.type;
  }
}

async function play(wanted: NewGame): Promise<void> {
  const created = await call<Schemas["Game"]>("POST", "/v1/games", undefined, wanted);
  const tokens = created.seats.map((seat) => seat.token ?? "");
  let moves = 0;
  let most = 0;
  let toAct = created.to_act;
  let outcome: Schemas["Outcome"] | null = null;
  while (outcome === null) {
    const seat = choose(toAct);
    const game = await call<Schemas["Game"]>("GET", `/v1/games/${created.id}?include=actions`, tokens[seat]);
    most = Math.max(most, inHand(game, seat));
    const action = choose<Schemas["Action"]>(game.actions ?? []);
    if (told(action).length === 0) throw new Error("an action without a name");
    const acted: Acted = await call("POST", `/v1/games/${created.id}/actions`, tokens[seat], action);
    ({ outcome, to_act: toAct } = acted);
    moves += 1;
  }
  console.log(JSON.stringify({ ruleset: created.ruleset, moves, most, winners: outcome.winners }));
}

const players: Schemas["Sitter"][] = [{ name: "Ada" }, { name: "Ben" }];
await play({ ruleset: "babel", options: { edition: "2000" }, players });
await play({ ruleset: "aton", players });
await play({ ruleset: "temple_of_five", options: { special_tiles: "mixed" }, players });
await play({ ruleset: "sa_re", options: { max_rounds: 2 }, players });
