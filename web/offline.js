// Keeps the page's own files, so that it opens without a server; what a server knows is never kept.

const NAME = "stele-page-1";

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
      await self.clients.claim();
    })(),
  ),
);

const isOurs = (address) => address.origin === location.origin && (address.pathname === "/" || address.pathname.startsWith("/web/"));

self.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  if (event.request.method !== "GET" || !isOurs(address)) return;
  event.respondWith(freshOrKept(event.request));
});

/** The server's file if it answers, and else the one that was kept. */
async function freshOrKept(request) {
  const kept = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.ok) await kept.put(request, response.clone());
    return response;
  } catch (failure) {
    const copy = await kept.match(request, { ignoreSearch: true });
    if (copy) return copy;
    throw failure;
  }
}
