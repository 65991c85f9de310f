// Keeps the page's own files, so that it opens without a server; what a server knows is never kept.
//
// It lies beside the files it keeps: a page with other files has a worker, and a store, of its own.

const FOLDER = new URL("./", location.href).pathname;
const NAME = `stele-page-${FOLDER}`;
const FILES = "app api board choosing elements sealing seats table texts words views/audit views/create views/game views/join views/lobby views/replay views/watch parts/chooser parts/emblems parts/ending parts/labels parts/log parts/options parts/players parts/turning parts/waiting";

self.addEventListener("install", (event) => event.waitUntil(keepAll().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));

async function keepAll() {
  const kept = await caches.open(NAME);
  const files = [...FILES.split(" ").map((name) => `${name}.js`), "style.css", "icon.svg", "verify.mjs"];
  await Promise.all(["/", ...files.map((name) => FOLDER + name)].map((address) => kept.add(address).catch(() => {})));
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
}

self.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (mode === "navigate" && !pathname.startsWith("/v1") && !pathname.startsWith("/docs")) event.respondWith(freshOrKept(event.request, "/"));
  else if (pathname.startsWith("/web/")) event.respondWith(freshOrKept(event.request, pathname));
});

/** The server's file if it answers, and else the one that was kept. */
async function freshOrKept(request, address) {
  try {
    return await fetch(request);
  } catch (failure) {
    const copy = await (await caches.open(NAME)).match(address);
    if (copy) return copy;
    throw failure;
  }
}
