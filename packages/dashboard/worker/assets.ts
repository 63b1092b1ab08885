/** Filled in by the build: the files that the first screen needs. */
declare const __SHELL__: readonly string[];

const CACHE = 'assets';
/** Of the desk's parts that an open page of an older version may still ask for. */
const KEPT_MS = 30 * 86_400_000;
/** Far more than one version has. */
const KEPT_MAX = 1_000;

/** Fetches the first screen's files ahead, so that a new version starts as fast as the old one did. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    __SHELL__.map(async (path) => {
      if (!(await cache.match(path))) await cache.add(path);
    }),
  );
}

/** A file whose name holds its fingerprint never changes: the one that is kept is the right one. */
export async function assetOf(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.status === 200) await cache.put(request.url, fresh.clone()).catch(() => undefined);
  return fresh;
}

const keptAt = (response: Response | undefined): number =>
  Date.parse(response?.headers.get('date') ?? '') || 0;

/** Drops what no page that is still open can ask for. */
export async function dropOldAssets(): Promise<void> {
  const cache = await caches.open(CACHE);
  const shell = new Set(__SHELL__.map((path) => new URL(path, location.origin).href));
  const requests = (await cache.keys()).filter(({ url }) => !shell.has(url));
  const dated = await Promise.all(
    requests.map(async (request) => ({ request, at: keptAt(await cache.match(request)) })),
  );
  const old = dated
    .toSorted((a, b) => b.at - a.at)
    .filter(({ at }, index) => index >= KEPT_MAX || at < Date.now() - KEPT_MS);
  await Promise.all(old.map(({ request }) => cache.delete(request)));
}
