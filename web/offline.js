// Keeps the files of what works without a server (the frame, the lobby's notice and the audit of a file); what a server
// knows is never kept, nor what shows only that.
//
// It lies beside the files it keeps: a page with other files has a worker, and a store, of its own.

const FOLDER = new URL("./", location.href).pathname;
const NAME = `stele-page-${FOLDER}`;
const FILES = `
  api.js app.js audit_texts.js board.css downloads.js elements.js icon.svg log_history.js parts/emblems.js parts/guide_button.js parts/players.js
  seals.js seat_storage.js style.css stylesheets.js texts.js verify.mjs views/audit.css views/audit.js views/lobby.js
  witnesses.js words.js`;

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

// -- notifications: what the server pushes is shown, and leads to its game ---------------------------------------------

self.addEventListener("push", (event) => {
  const { game, text, lang } = event.data.json();
  const about = { body: text, lang, tag: game, icon: `${FOLDER}icon.svg`, data: { game } };
  event.waitUntil(self.registration.showNotification("Stele", about));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openGame(event.notification.data.game));
});

/** Go to a game in a window that is open at it, or in a new one. */
async function openGame(game) {
  const place = `/#/games/${game}`;
  const windows = await self.clients.matchAll({ type: "window" });
  const open = windows.find(({ url }) => url.endsWith(place));
  return open ? open.focus() : self.clients.openWindow(place);
}
