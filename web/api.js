// A client of the public API (/openapi.json), like any other: requests, problems, retries that are safe, live streams.

const PAUSES = [300, 1000, 3000];
const MAY_PASS = new Set([429, 502, 503, 504]);

/** What the server refused: `message` is its sentence, in the reader's language; `code` is stable. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || body.title || `${status}`);
    this.name = "Problem";
    this.status = status;
    this.code = body.code ?? null;
    this.errors = body.errors ?? null;
    this.body = body;
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {
  constructor(cause) {
    super(cause.message, { cause });
    this.name = "Unreachable";
  }
}

const later = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

const query = (parameters) => {
  const chosen = Object.entries(parameters).filter(
    ([, value]) => value !== null && value !== undefined && value !== "",
  );
  return chosen.length ? `?${new URLSearchParams(chosen)}` : "";
};

/** A key that makes a POST safe to send again; long enough for a caller without a token. */
export const newKey = () => crypto.randomUUID();

export const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));

/** Entropy for a seat, and what seals it until all seats are taken. */
export async function newSeal() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return { entropy: hex(bytes), commitment: await sealOf(hex(bytes)) };
}

/** SHA-256("stele-seal-1" ‖ the 32 bytes). */
export async function sealOf(entropy) {
  const prefix = new TextEncoder().encode("stele-seal-1");
  const bytes = new Uint8Array([...prefix, ...unhex(entropy)]);
  return hex(await crypto.subtle.digest("SHA-256", bytes));
}

export class Api {
  #remembered = new Map();

  /** `language` says in which language problems are told; `server` is the origin of the API, if it is not the page's own. */
  constructor(language = "en", server = "") {
    this.language = language;
    this.server = server;
  }

  /** One request; a Problem if it is refused. Those that are safe to send again are, when the network fails. */
  async request(
    method,
    path,
    { token = null, body, key = null, signature = null, seen = null, signal = null, accept = "application/json", headers = {} } = {},
  ) {
    const sent = { Accept: accept, "Accept-Language": this.language, ...headers };
    if (token) sent.Authorization = `Bearer ${token}`;
    if (key) sent["Idempotency-Key"] = key;
    if (signature) sent["Stele-Signature"] = signature;
    if (seen) sent["If-Match"] = `"${seen}"`;
    if (body !== undefined) sent["Content-Type"] = "application/json";
    const mayRepeat = method === "GET" || key !== null;
    for (let attempt = 0; ; attempt++) {
      let response;
      try {
        response = await fetch(this.server + path, {
          method,
          headers: sent,
          body: body === undefined ? undefined : JSON.stringify(body),
          signal,
          credentials: "omit",
          cache: "no-store",
        });
      } catch (failure) {
        if (signal?.aborted) throw failure;
        if (!mayRepeat || attempt >= PAUSES.length) throw new Unreachable(failure);
        await later(PAUSES[attempt], signal);
        continue;
      }
      if (response.ok || response.status === 304) return response;
      if (MAY_PASS.has(response.status) && mayRepeat && attempt < PAUSES.length) {
        await later(Math.max(PAUSES[attempt], 1000 * Number(response.headers.get("Retry-After") ?? 0)), signal);
        continue;
      }
      throw new Problem(response.status, await response.json().catch(() => ({})));
    }
  }

  async json(method, path, how) {
    return (await this.request(method, path, how)).json();
  }

  /** A GET whose answer is asked for again only if it has changed. */
  async cached(path, { token = null, signal = null, accept = "application/json", as = "json" } = {}) {
    const name = `${token ?? ""} ${path}`;
    const had = this.#remembered.get(name);
    const headers = had ? { "If-None-Match": had.tag } : {};
    const response = await this.request("GET", path, { token, signal, accept, headers });
    if (response.status === 304) return had.answer;
    const answer = await response[as]();
    const tag = response.headers.get("ETag");
    if (tag) {
      this.#remembered.delete(name);
      this.#remembered.set(name, { tag, answer });
      if (this.#remembered.size > 40) this.#remembered.delete(this.#remembered.keys().next().value);
    }
    return answer;
  }

  // -- games ----------------------------------------------------------------------------------------------------------

  rulesets = async () => (await this.cached("/v1/rulesets")).items;
  ruleset = (id) => this.cached(`/v1/rulesets/${encodeURIComponent(id)}`);
  /** The player's guide and the lessons of a game, in the reader's language. */
  guide = (id) => this.cached(`/v1/rulesets/${encodeURIComponent(id)}/guide${query({ lang: this.language })}`);
  lessons = async (id) =>
    (await this.cached(`/v1/rulesets/${encodeURIComponent(id)}/lessons${query({ lang: this.language })}`)).items;
  games = (filters = {}) => this.json("GET", `/v1/games${query(filters)}`);
  results = (filters = {}) => this.json("GET", `/v1/results${query(filters)}`);
  standings = (filters = {}) => this.json("GET", `/v1/standings${query(filters)}`);

  /** A game as its viewer sees it. A viewer is `{token}`, or `{code}` of a private game, or `{}`. */
  game = (id, { token = null, code = null } = {}, parameters = {}) =>
    this.json("GET", `/v1/games/${id}${query({ include: "actions", join_code: code, ...parameters })}`, { token });

  create = (terms, { token = null } = {}, key = newKey()) =>
    this.json("POST", "/v1/games", { body: terms, token, key });
  fork = (id, terms, { token = null } = {}, key = newKey()) =>
    this.json("POST", `/v1/games/${id}/forks`, { body: terms, token, key });
  sit = (id, wish, { token = null } = {}, key = newKey()) =>
    this.json("POST", `/v1/games/${id}/seats`, { body: wish, token, key });
  leave = (id, seat, token) => this.json("DELETE", `/v1/games/${id}/seats/${seat}`, { token, key: newKey() });
  open = (id, seat, entropy, token) =>
    this.json("POST", `/v1/games/${id}/seats/${seat}/entropy`, { body: { entropy }, token, key: newKey() });
  /** Give up; a seat that signs names the latest version that it has `seen`. */
  resign = (id, { token, seen = null, signature = null }) =>
    this.json("POST", `/v1/games/${id}/resignation`, { token, seen, signature, key: newKey() });

  /** Act. `decision` is the number that the game gives the seat: one that has passed is refused, and nothing happens. */
  act = (id, action, { token, decision = null, signature = null, key = newKey() }) =>
    this.json("POST", `/v1/games/${id}/actions${query({ decision, include: "actions" })}`, {
      body: action,
      token,
      signature,
      key,
    });
  takeBack = (id, to, { token, seen, signature = null }) =>
    this.json("POST", `/v1/games/${id}/takebacks${query({ include: "actions" })}`, { body: { to }, token, seen, signature, key: newKey() });
  pause = (id, token) => this.json("POST", `/v1/games/${id}/pause`, { token, key: newKey() });
  resume = (id, token) => this.json("POST", `/v1/games/${id}/resume`, { token, key: newKey() });

  /** Whether others ask for a rematch: `{game, asked}`, held for `wait` seconds; and to ask for it: `{game, seat, token}`. */
  rematch = (id, { token, wait = 0, signal = null }) => this.json("GET", `/v1/games/${id}/rematch${query({ wait: wait || null })}`, { token, signal });
  askRematch = (id, wanted, { token }) => this.json("POST", `/v1/games/${id}/rematch`, { body: wanted, token, key: newKey() });

  /** Have the server look for a good move; then `{action, label}`, or `{status}` while it looks. */
  askHint = (id, token) => this.json("POST", `/v1/games/${id}/hint`, { token });
  hint = (id, token) => this.json("GET", `/v1/games/${id}/hint${query({ lang: this.language })}`, { token });

  /** A code with which another device, or another person, takes over a seat: `{code, expires}`. */
  handOver = (id, seat, token) => this.json("POST", `/v1/games/${id}/seats/${seat}/handover`, { body: {}, token, key: newKey() });
  /** Take over a seat by its code, under a name; without one, the same person goes on elsewhere. Gives `{token}`. */
  takeOver = (id, seat, about) => this.json("POST", `/v1/games/${id}/seats/${seat}/takeover`, { body: about, key: newKey() });

  /** Would this be accepted? `{legal, code?, detail?}`. */
  check = (id, action, { token }) => this.json("POST", `/v1/games/${id}/actions/check`, { body: action, token });

  /** The frames of a game, `from` and `to` included. */
  async replay(id, { token = null, code = null } = {}, parameters = {}) {
    return this.json("GET", `/v1/games/${id}/replay${query({ join_code: code, ...parameters })}`, { token });
  }

  /** A board as text of an SVG; of `version`, or as it is now. */
  board = (id, { token = null, code = null } = {}, { version = null, ...look } = {}) =>
    this.cached(
      `/v1/games/${id}${version === null ? "" : `/replay/${version}`}/board.svg${query({ join_code: code, ...look })}`,
      { token, accept: "image/svg+xml", as: "text" },
    );

  /** The review of a settled game, or how far it is: `{status, progress}`. */
  review = (id, { token = null, code = null } = {}, { signal = null } = {}) =>
    this.json("GET", `/v1/games/${id}/review${query({ join_code: code })}`, { token, signal });
  beginReview = (id, { token = null } = {}, { signal = null } = {}) =>
    this.json("POST", `/v1/games/${id}/review`, { token, signal });
  endReview = (id, { token = null } = {}) => this.request("DELETE", `/v1/games/${id}/review`, { token });

  // -- live -----------------------------------------------------------------------------------------------------------

  /**
   * Follow a game. `hear(frame)` gets each frame, `state(text)` is told "live", "lost", "refused", "rewound" or "over". The token goes into a
   * header, so no address ever holds it. What was missed while the connection was lost comes first when it is back.
   * Returns a function that ends it.
   */
  follow(id, { token = null, code = null } = {}, { after = null, hear, state = () => {} }) {
    const ending = new AbortController();
    const path = () =>
      `/v1/games/${id}/events${query({ frames: "true", include: "actions", join_code: code, after: seen })}`;
    let seen = after;
    let lost = 0;
    const run = async () => {
      while (!ending.signal.aborted) {
        try {
          const watching = new AbortController();
          const stop = () => watching.abort();
          ending.signal.addEventListener("abort", stop, { once: true });
          const response = await fetch(this.server + path(), {
            headers: {
              Accept: "text/event-stream",
              "Accept-Language": this.language,
              ...(token ? { Authorization: `Bearer ${token}` } : {}),
            },
            signal: watching.signal,
            credentials: "omit",
            cache: "no-store",
          });
          if (!response.ok) {
            const problem = new Problem(response.status, await response.json().catch(() => ({})));
            if (!MAY_PASS.has(problem.status)) {
              state("refused", problem);
              return;
            }
            throw problem;
          }
          state("live");
          lost = 0;
          for await (const { name, data } of messages(response.body, stop)) {
            if (name === "rewound") return state("rewound"); // the server has lost what it told: begin anew
            const frame = JSON.parse(data);
            seen = frame.version;
            hear(frame);
            if (frame.event.type === "game_settled") {
              state("over");
              return;
            }
          }
        } catch (failure) {
          if (ending.signal.aborted) return;
          if (!(failure instanceof Problem || failure instanceof TypeError || failure?.name === "AbortError"))
            throw failure;
        }
        state("lost");
        await later(Math.min(500 * 2 ** lost++, 8000), ending.signal).catch(() => {});
      }
    };
    run();
    return () => ending.abort();
  }
}

const SILENCE = 40_000; // the server sends a heartbeat at least every fifteen seconds

/** The messages of a stream of server-sent events; `stop` is called when it has been silent for too long. */
async function* messages(body, stop) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let name = "";
  let data = [];
  let timer = setTimeout(stop, SILENCE);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(stop, SILENCE);
      text += value;
      const lines = text.split(/\r?\n/);
      text = lines.pop();
      for (const line of lines) {
        if (line === "") {
          if (data.length) yield { name, data: data.join("\n") };
          [name, data] = ["", []];
        } else if (line.startsWith("event:")) name = line.slice(6).trim();
        else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      }
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}
