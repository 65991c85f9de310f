/** Requests that are tried again until they are answered: every change carries a key, so that it is made once. */

import { Problem, Unreachable } from "./problem.js";
import { platformCrypto } from "./signing.js";

export interface Settings {
  /** A seat's, a host's or an operator's token; none: a spectator. */
  token?: string | undefined;
  /** In place of the platform's own `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** For how many milliseconds a request is tried again while nobody answers. */
  patience?: number;
  /** The language of problems: `en` or `fr`. */
  language?: string;
}

export type Values = Record<string, string | number | boolean | undefined>;

export interface Request {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Values | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** Whether the server remembers what it did for this request: it then gets a key of its own. */
  changes?: boolean;
  signal?: AbortSignal | undefined;
}

/** An answer that has come to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

export const PATIENCE = 60_000;
const LONGEST_ANSWER = 45_000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;
/** Whoever answers so asks to be asked again. */
const AGAIN = new Set([429, 502, 503, 504]);

export class Transport {
  readonly #fetch: typeof globalThis.fetch;
  readonly #patience: number;

  constructor(
    readonly url: string,
    readonly settings: Settings = {},
  ) {
    this.url = new URL(url).href.replace(/\/+$/, ""); // which throws at once if it is none
    this.#fetch = settings.fetch ?? ((...call) => globalThis.fetch(...call));
    this.#patience = settings.patience ?? PATIENCE;
  }

  /** The same server, with another token. */
  as(token: string | undefined): Transport {
    return new Transport(this.url, { ...this.settings, token });
  }

  /** The JSON of an answer. */
  async json<T>(path: string, request: Request = {}): Promise<T> {
    return JSON.parse((await this.send(path, request)).text) as T;
  }

  /** An answer of 2xx or 304; any other is thrown as a `Problem`. */
  async send(path: string, request: Request = {}): Promise<Answer> {
    const headers: Record<string, string> = { ...request.headers };
    if (request.changes) headers["Idempotency-Key"] = await randomKey();
    return this.#until(request.signal, path, async () => {
      const limit = new AbortController();
      const stop = (): void => limit.abort(request.signal?.reason);
      const timer = setTimeout(stop, LONGEST_ANSWER);
      request.signal?.addEventListener("abort", stop, { once: true });
      try {
        const init = this.#init({ ...request, headers }, limit.signal);
        const response = await this.#fetch(this.address(path, request.query), init);
        return { status: response.status, headers: response.headers, text: await response.text() };
      } finally {
        clearTimeout(timer);
        request.signal?.removeEventListener("abort", stop);
      }
    });
  }

  /** The head of an answer whose body goes on: it is opened once, and whoever reads it opens it again. */
  async open(path: string, request: Request, signal: AbortSignal): Promise<Response> {
    const response = await this.#fetch(this.address(path, request.query), this.#init(request, signal));
    if (response.ok) return response;
    throw Problem.of(response.status, await response.text());
  }

  address(path: string, query: Values = {}): string {
    const given = Object.entries(query).filter((each): each is [string, string] => each[1] !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return `${this.url}${path}${text && `?${text}`}`;
  }

  #init(request: Request, signal: AbortSignal): RequestInit {
    const headers: Record<string, string> = { ...request.headers };
    if (this.settings.token) headers["Authorization"] = `Bearer ${this.settings.token}`;
    if (this.settings.language) headers["Accept-Language"] = this.settings.language;
    if (request.body !== undefined) headers["Content-Type"] = "application/json";
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    return { method: request.method ?? "GET", headers, body, signal };
  }

  /** Try until there is an answer that is not a plea to try again, for as long as patience lasts. */
  async #until(signal: AbortSignal | undefined, path: string, attempt: () => Promise<Answer>): Promise<Answer> {
    const end = Date.now() + this.#patience;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      signal?.throwIfAborted();
      let failure: unknown;
      let wanted = 0;
      try {
        const answer = await attempt();
        if (answer.status < 400) return answer;
        failure = Problem.of(answer.status, answer.text);
        if (!AGAIN.has(answer.status)) throw failure;
        wanted = 1000 * Number(answer.headers.get("Retry-After") ?? 0);
      } catch (error) {
        if (error instanceof Problem) throw error;
        failure = error;
      }
      const rest = Math.max(pause * (0.5 + Math.random() / 2), wanted || 0);
      if (Date.now() + rest > end) {
        throw failure instanceof Problem ? failure : new Unreachable(this.url + path, failure);
      }
      await sleep(rest, signal);
    }
  }
}

/** A key that nobody guesses; browsers give no UUIDs to pages without TLS. */
async function randomKey(): Promise<string> {
  const bytes = (await platformCrypto()).getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Wait so many milliseconds; whoever aborts need not wait for the end. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
