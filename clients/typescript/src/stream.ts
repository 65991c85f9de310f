/** Live streams: server-sent events over `fetch`, which go on where they were cut. */

import { Problem } from "./problem.js";
import { PATIENCE, sleep } from "./transport.js";

/** Milliseconds after which a stream on which not even a heartbeat comes is taken for dead. */
const SILENCE = 40_000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;

export interface Message {
  id: string | undefined;
  /** The name of a message that is not one of those the stream is for. */
  event?: string | undefined;
  data: string;
}

/** The server has lost the end of a game's log: what was seen of it holds no more. */
const REWOUND = "rewound";

/** Opens a stream that goes on after a message; null if nothing more will ever come. */
export type Open = (after: string | undefined, signal: AbortSignal) => Promise<Response | null>;

export interface Following {
  /** Ends the stream from outside. */
  signal?: AbortSignal | undefined;
  /** Go on after this message; from the beginning, or the present, if it is left out. */
  after?: string | undefined;
  /** For how many milliseconds a stream is opened again while nobody answers. */
  patience?: number | undefined;
  /** Called when the server has lost the end of the log (a failover may): forget the game; the stream begins anew. */
  rewound?: (() => void) | undefined;
}

/** Every message, over as many streams as it takes; it ends when the server says that there is nothing more. */
export async function* follow(open: Open, following: Following): AsyncGenerator<Message> {
  const { signal, patience = PATIENCE } = following;
  let last = following.after;
  let pause = FIRST_PAUSE;
  let end = Date.now() + patience;
  while (!signal?.aborted) {
    const line = new AbortController();
    const hangUp = (): void => line.abort(signal?.reason);
    signal?.addEventListener("abort", hangUp, { once: true });
    try {
      const response = await open(last, line.signal);
      if (response === null || response.status === 204 || response.body === null) return;
      for await (const message of messages(response.body)) {
        if (message.event === REWOUND) {
          last = undefined;
          following.rewound?.();
          break;
        }
        last = message.id ?? last;
        pause = FIRST_PAUSE;
        end = Date.now() + patience;
        yield message;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
      if (Date.now() > end) throw error;
    } finally {
      signal?.removeEventListener("abort", hangUp);
      line.abort();
    }
    await sleep(pause, signal).catch(() => undefined);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

/** The messages of one stream. */
export async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  let message: { id?: string | undefined; event?: string | undefined; data: string[] } = { data: [] };
  for await (const line of lines(body)) {
    if (line === "") {
      if (message.data.length) yield { id: message.id, event: message.event, data: message.data.join("\n") };
      message = { data: [] };
      continue;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "data") message.data.push(value ?? "");
    if (field === "id") message.id = value;
    if (field === "event") message.event = value;
  }
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read());
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop() ?? "";
      yield* parts.map((part) => part.replace(/\r$/, ""));
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/** What comes before the silence has lasted too long. */
function inTime<T>(reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the stream has fallen silent")), SILENCE);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
