/** What the server speaks of, by ruleset: `View<"babel">`, `Action<"aton">`. All of it comes from its OpenAPI document. */

import type { components, operations } from "./schema.js";

export type Schemas = components["schemas"];

/** The id of a ruleset that this client has types for. */
export type RulesetId = Schemas["Game"]["ruleset"];

/** A game as the caller may see it. */
export type Game<R extends RulesetId = RulesetId> = Extract<Schemas["Game"], { ruleset: R }>;
/** A game to be created. */
export type NewGame<R extends RulesetId = RulesetId> = Extract<Schemas["NewGame"], { ruleset: R }>;
/** The state of play as a viewer may see it. */
export type View<R extends RulesetId = RulesetId> = NonNullable<Game<R>["view"]>;
/** What a seat may do. */
export type Action<R extends RulesetId = RulesetId> = NonNullable<Game<R>["actions"]>[number];
/** How a game is played. */
export type Options<R extends RulesetId = RulesetId> = Game<R>["options"];

export type Event = Schemas["Event"];
/** A review; until its `status` is `done`, only how far it is. */
export type Review = Schemas["ReviewProgress"] | Schemas["Review"];
export type Outcome = Schemas["Outcome"];
export type Ruleset = Schemas["Ruleset"];

interface Played<R extends RulesetId> {
  view: View<R> | null;
  actions?: Action<R>[];
}

/** What a stream of frames sends: an event, and how the game stands after it. */
export type Frame<R extends RulesetId = RulesetId> = Omit<Schemas["LiveFrame"], keyof Played<R>> & Played<R>;
/** A moment of a replay. */
export type Moment<R extends RulesetId = RulesetId> = Omit<Schemas["Frame"], keyof Played<R>> & Played<R>;
/** What came of an action, or of a list of them. */
export type Acted<R extends RulesetId = RulesetId> = Omit<Schemas["Acted"], keyof Played<R>> & Played<R>;
/** What a seat may do now, and the number of the decision. */
export type LegalActions<R extends RulesetId = RulesetId> = Omit<Schemas["LegalActions"], "actions"> & {
  actions: Action<R>[];
};

/** A good move, and what it does in words. */
export type Hint<R extends RulesetId = RulesetId> = Omit<Schemas["Hint"], "action"> & { action: Action<R> };

/** The query parameters of an operation, by its name in the document. */
export type Query<Operation extends keyof operations> = operations[Operation]["parameters"]["query"];
