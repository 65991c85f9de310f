// Keeps the page's own files, so that it opens without a server; what a server knows is never kept, nor what shows only that.
//
// It lies beside the files it keeps: a page with other files has a worker, and a store, of its own.

const FOLDER = new URL("./", location.href).pathname;
const NAME = `stele-page-${FOLDER}`;
const FILES = `
  api.js app.js board.js choosing.js elements.js icon.svg keeping.js parts/asking.js parts/chooser.js parts/emblems.js
  parts/ending.js parts/figures.js parts/film.js parts/labels.js parts/log.js parts/moment.js parts/names.js
  parts/options.js parts/play_on.js parts/players.js parts/room.js parts/scrubber.js parts/told.js parts/turning.js
  parts/waiting.js sealing.js seats.js story.js style.css styles.js table.js texts.js texts_of_audits.js
  texts_of_replays.js texts_of_reviews.js views/audit.css views/audit.js views/create.js views/game.js views/join.js
  views/lobby.js views/replay.css views/replay.js views/watch.js witnesses.js words.js verify.mjs`;

self.addEventListener("install", (event) => event.waitUntil(keepAll().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));

async function keepAll() {
  const kept = await caches.open(NAME);
  const page = await fetch("/", { headers: { Accept: "text/html" } });
  await kept.put("/", page);
  await kept.addAll(
    FILES.trim()
      .split(/\s+/)
      .map((name) => FOLDER + name),
  );
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
}

self.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (mode === "navigate" && !pathname.startsWith("/v1") && !pathname.startsWith("/docs"))
    event.respondWith(freshOrKept(event.request, "/"));
  else if (pathname.startsWith("/web/")) event.respondWith(freshOrKept(event.request, pathname));
});

/** The server's file if it answers, and else the one that was kept. */
async function freshOrKept(request, address) {
  try {
    return await fetch(request);
  } catch (failure) {
    const copy = await (await caches.open(NAME)).match(address, { ignoreVary: true });
    if (copy) return copy;
    throw failure;
  }
}
