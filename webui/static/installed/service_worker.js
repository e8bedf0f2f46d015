// Shows a calm page where the computer does not answer. VERSION and KEPT are set by the server above this.
// Nothing else is kept here: no answer of the programming interface, and no page of the table.

const NAME = `railspotter-${VERSION}`;
const [UNREACHABLE] = KEPT;
const PATIENCE_MS = 10_000; // a computer that is off gives no answer at all
const API = "/api/";

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith(API)) return;
  if (request.mode === "navigate") event.respondWith(opened(request));
  else if (KEPT.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
});

async function keep() {
  const cache = await caches.open(NAME);
  await cache.addAll(KEPT.map((path) => new Request(path, { cache: "reload" })));
  await self.skipWaiting();
}

/** What an older version kept goes; pages that are open are looked after at once. */
async function takeOver() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("railspotter-") && name !== NAME).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function opened(request) {
  let timer = null;
  const patience = new Promise((_, fail) => (timer = setTimeout(fail, PATIENCE_MS)));
  try {
    return await Promise.race([fetch(request), patience]);
  } catch {
    return kept(UNREACHABLE);
  } finally {
    clearTimeout(timer);
  }
}

/** The page has all languages in it, so that whoever asks in another one gets it too. */
async function kept(path) {
  const cache = await caches.open(NAME);
  return (await cache.match(path, { ignoreVary: true })) ?? Response.error();
}
