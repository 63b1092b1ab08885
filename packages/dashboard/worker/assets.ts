/** Filled in by the build: the files that the first screen needs. */
declare const __SHELL__: readonly string[];
const SHELL = __SHELL__;

const CACHE = 'assets';
/** How long chunks are kept that an open page of an older version may still request. */
const KEPT_MS = 30 * 86_400_000;
/** Far more chunks than one version has. */
const KEPT_MAX = 1_000;

/** Longer than a server's restart, and less than the five minutes after which browsers stop a worker. */
const WAIT_MS = 120_000;
const RETRY_MS = 1_000;

/** Fetches the first screen's files in advance, so that a new version starts as fast as the old one did. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    SHELL.map(async (path) => {
      if (!(await cache.match(path))) await cache.add(path);
    }),
  );
}

/**
 * Waits while the server or the network is gone: browsers remember a failed module and never request it again.
 * @throws TypeError if that takes too long
 */
async function fetchPatiently(request: Request): Promise<Response> {
  const end = Date.now() + WAIT_MS;
  const isLate = (): boolean => Date.now() > end || request.signal.aborted;
  for (;;) {
    try {
      const answer = await fetch(request);
      if (answer.status < 500 || isLate()) return answer;
    } catch (error) {
      if (isLate()) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Files with a hash in their name never change: a cached copy is always right. */
export async function assetOf(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const fresh = await fetchPatiently(request);
  if (fresh.status === 200) await cache.put(request.url, fresh.clone()).catch(() => undefined);
  return fresh;
}

const keptAt = (response: Response | undefined): number =>
  Date.parse(response?.headers.get('date') ?? '') || 0;

/** Deletes cached files that no open page can request. */
export async function dropOldAssets(): Promise<void> {
  const cache = await caches.open(CACHE);
  const shell = new Set(SHELL.map((path) => new URL(path, location.origin).href));
  const requests = (await cache.keys()).filter(({ url }) => !shell.has(url));
  const dated = await Promise.all(
    requests.map(async (request) => ({ request, at: keptAt(await cache.match(request)) })),
  );
  const old = dated
    .toSorted((a, b) => b.at - a.at)
    .filter(({ at }, index) => index >= KEPT_MAX || at < Date.now() - KEPT_MS);
  await Promise.all(old.map(({ request }) => cache.delete(request)));
}
