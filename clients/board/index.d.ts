// The types of <stele-board>. To import the package defines the element; there is nothing else to import but types.

/** An outcome of a game, as the API gives it. */
export interface Outcome {
  winners: number[];
  scores: number[];
  reason: string;
  tiebreak?: string | null;
}

/** The seat of the token is to act. */
export interface TurnDetail {
  game: string;
  version: number;
  seat: number;
  decision: number;
  /** When its time runs out, as the server's clock has it. */
  deadline: string | null;
}

/** Somebody has acted; `own`: the seat of the token. */
export interface PlayedDetail {
  game: string;
  version: number;
  seat: number | null;
  own: boolean;
  /** As far as the element may see it. */
  action: Record<string, unknown> | null;
}

/** The server has refused an action, or to show the game (`action` is null). */
export interface RefusedDetail {
  game: string;
  /** Of the HTTP answer; null if there was none. */
  status: number | null;
  /** Stable, to be compared. */
  code: string | null;
  /** One sentence in the language of the element, to be shown. */
  message: string;
  action: Record<string, unknown> | null;
}

export interface OverDetail {
  game: string;
  status: "ended" | "aborted";
  outcome: Outcome | null;
}

export interface SteleBoardEvents {
  turn: CustomEvent<TurnDetail>;
  played: CustomEvent<PlayedDetail>;
  refused: CustomEvent<RefusedDetail>;
  over: CustomEvent<OverDetail>;
}

/** What can stand in the tag. */
export interface SteleBoardAttributes {
  /** The origin of the server; that of the page, if there is none. */
  server?: string;
  game: string;
  /** Whose eyes: a seat's number, or `spectator`. */
  as?: string | number;
  /** The entry after which the game is shown. */
  at?: string | number;
  lang?: "en" | "fr";
  theme?: "light" | "dark" | "auto";
  /** Can one move through the game? */
  controls?: boolean | "";
}

export interface SteleBoardElement extends HTMLElement {
  /** A seat's token: with it the element plays. It never becomes an attribute. */
  token: string | null;
  addEventListener<K extends keyof SteleBoardEvents>(
    type: K,
    listener: (event: SteleBoardEvents[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "stele-board": SteleBoardElement;
  }
}
