/** Filled in by the build: the files that the first screen needs. */
declare const __SHELL__: readonly string[];
const SHELL = __SHELL__;

const CACHE = 'assets';
/** Of the desk's parts that an open page of an older version may still ask for. */
const KEPT_MS = 30 * 86_400_000;
/** Far more than one version has. */
const KEPT_MAX = 1_000;

/** A server that is started anew is there again long before; browsers let a worker be after five minutes. */
const WAIT_MS = 120_000;
const RETRY_MS = 1_000;

/** Fetches the first screen's files ahead, so that a new version starts as fast as the old one did. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    SHELL.map(async (path) => {
      if (!(await cache.match(path))) await cache.add(path);
    }),
  );
}

/**
 * Browsers remember that a module could not be had, and never ask for it again: while the server or the line is gone, it
 * is waited for.
 * @throws TypeError when that takes too long
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

/** A file whose name holds its fingerprint never changes: the one that is kept is the right one. */
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

/** Drops what no page that is still open can ask for. */
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
