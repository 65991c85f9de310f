// Follows and plays games over one WebSocket for each server, shared by everything on a page; where none can be opened, by
// server-sent events and requests.

import { Problem, newKey } from "./api.js";

const SILENCE = 45_000; // the server sends something at least every fifteen seconds
const IDLE = 2000; // what is shown anew follows the same game again at once
const sockets = new Map();

/** As `api.follow`: `hear(frame)` gets each frame, `state(text, problem)` hears of the connection. Returns what ends it. */
export function follow(api, id, { token = null, code = null } = {}, { after = null, hear, state = () => {} }) {
  const { server } = api;
  if (!sockets.has(server)) sockets.set(server, new SharedSocket(server));
  const socket = sockets.get(server);
  const followed = { game: id, token, code, lang: api.language, seen: after, hear, state, as: null };
  let end = () => socket.remove(followed);
  followed.fallBack = () => {
    end = api.follow(id, { token, code }, { after: followed.seen, hear, state });
  };
  socket.add(followed);
  return () => end();
}

/**
 * As `api.act`, over the socket by which a seat follows its game: the answer is `{version, hash}`, and the frame comes to whoever
 * follows. What the socket does not answer is asked by a request with the same key, so that it is done once.
 */
export function act(api, id, action, { token, decision = null, signature = null }) {
  const key = newKey();
  const byRequest = () => api.act(id, action, { token, decision, signature, key });
  const sigs = signature ? signature.split(", ") : [];
  return sockets.get(api.server)?.act(id, token, { action, decision, key, sigs, answer: "minimal" }, byRequest) ?? byRequest();
}

class SharedSocket {
  #follows = new Set();
  #asked = new Map();
  #running = new Map();
  #acts = new Map();
  #socket = null;
  #number = 0;
  #lost = 0;
  #hasOpened = false;
  #isUseless = typeof WebSocket === "undefined";

  constructor(server) {
    const url = new URL("/v1/socket", server || location.origin);
    url.protocol = url.protocol.replace("http", "ws");
    this.url = url.href;
  }

  add(followed) {
    if (this.#isUseless) return followed.fallBack();
    this.#follows.add(followed);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ask(followed);
    else this.#connect();
  }

  remove(followed) {
    if (!this.#follows.delete(followed)) return;
    if (this.#running.delete(followed.as)) this.#send({ op: "unfollow", as: followed.as });
    setTimeout(() => !this.#follows.size && this.#socket?.close(), IDLE);
  }

  /** The answer to an act of a seat that follows here; null if none does. */
  act(game, token, message, byRequest) {
    const followed = [...this.#running.values()].find((each) => each.game === game && each.token === token);
    if (!token || !followed || this.#socket?.readyState !== WebSocket.OPEN) return null;
    return new Promise((resolve, reject) => {
      this.#acts.set(this.#send({ op: "act", as: followed.as, ...message }), { resolve, reject, byRequest });
    });
  }

  #send(message) {
    const id = ++this.#number;
    this.#socket.send(JSON.stringify({ id, ...message }));
    return id;
  }

  #ask(followed) {
    const { game, token, code, seen, lang } = followed;
    const given = { token, join_code: code, after: seen };
    for (const [name, value] of Object.entries(given)) if (value === null) delete given[name];
    this.#asked.set(this.#send({ op: "follow", game, ...given, include: ["actions"], lang }), followed);
  }

  #connect() {
    if (this.#socket) return;
    const socket = (this.#socket = new WebSocket(this.url));
    const ended = () => socket === this.#socket && this.#closed();
    socket.onclose = socket.onerror = ended; // one that the page's policy forbids is never closed
    socket.onopen = () => {
      this.#hasOpened = true;
      this.#lost = 0;
      this.#listen();
      for (const followed of this.#follows) this.#ask(followed);
    };
    socket.onmessage = ({ data }) => {
      this.#listen();
      this.#read(JSON.parse(data));
    };
  }

  /** A connection that is silent for too long is as good as lost. */
  #listen() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.#socket?.close(), SILENCE);
  }

  #closed() {
    clearTimeout(this.silence);
    this.#socket = null;
    this.#asked.clear();
    this.#running.clear();
    for (const { resolve, byRequest } of this.#acts.values()) resolve(byRequest());
    this.#acts.clear();
    if (!this.#hasOpened) return this.#giveUp();
    if (!this.#follows.size) return;
    for (const { state } of this.#follows) state("lost");
    setTimeout(() => this.#follows.size && this.#connect(), Math.min(500 * 2 ** this.#lost++, 8000));
  }

  /** No socket leads to this server: follow in the other way, for as long as this page is open. */
  #giveUp() {
    this.#isUseless = true;
    this.#socket?.close();
    for (const followed of this.#follows) followed.fallBack();
    this.#follows.clear();
  }

  #read(message) {
    if ("closing" in message) return message.closing === "stopping" ? null : this.#giveUp();
    if ("frame" in message) return this.#hear(this.#running.get(message.as), message.frame);
    if ("gone" in message) return this.#gone(this.#running.get(message.as), message);
    if (this.#acts.has(message.re)) this.#acted(message);
    if (this.#asked.has(message.re)) this.#answered(message);
  }

  #acted({ re, status, ok, problem }) {
    const { resolve, reject, byRequest } = this.#acts.get(re);
    this.#acts.delete(re);
    if (status === 201) resolve(ok);
    else if (status === 429 || status >= 500) resolve(byRequest());
    else reject(new Problem(status, problem));
  }

  #answered({ re, status, as, problem = {} }) {
    const followed = this.#asked.get(re);
    this.#asked.delete(re);
    if (!this.#follows.has(followed)) return as && this.#send({ op: "unfollow", as });
    if (status === 200) {
      followed.as = as;
      this.#running.set(as, followed);
      return followed.state("live");
    }
    this.#follows.delete(followed);
    if (status === 429 || status >= 500) followed.fallBack();
    else if (problem.code === "rewound") followed.state("rewound");
    else followed.state("refused", new Problem(status, problem));
  }

  #hear(followed, frame) {
    if (!followed) return;
    followed.seen = frame.version;
    followed.hear(frame);
    if (frame.event.type !== "game_settled") return;
    followed.state("over");
    this.remove(followed);
  }

  #gone(followed, { as, gone }) {
    if (!followed) return;
    this.#running.delete(as);
    this.#follows.delete(followed);
    if (gone === "rewound") followed.state("rewound");
    else followed.fallBack(); // which says in words what is wrong with the token
  }
}
