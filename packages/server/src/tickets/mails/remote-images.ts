import { createSemaphore } from '../../base/semaphore.ts';
import type { Services, SiteContext } from '../../core/context.ts';
import { isAmong } from '../../core/vault.ts';
import { imageTypeOf } from '../../files/images.ts';

/** An image of another server. */
export interface RemoteImage {
  contentType: string;
  content: Buffer;
}

/** Fetches an image; undefined if the server has none, refuses or is too slow. */
export type FetchImage = (url: string) => Promise<RemoteImage | undefined>;

const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
const TIME_MAX_MS = 10_000;
const REDIRECTS_MAX = 3;
const AT_ONCE = 10;
/** Longer than any image's; a request can't be much longer. */
const URL_MAX = 2_000;
/** A link keeps its address for this long, so that browsers can cache the image. */
const STEP_MS = 6 * 3_600_000;

type Deriver = Pick<Services, 'derivedToken'>;
/** A link to an image of another server, which only this server can create. */
export interface RemoteImageLink {
  siteId: number;
  expires: number;
  url: string;
  signature: string;
}

const purposeOf = ({ siteId, expires, url }: Omit<RemoteImageLink, 'signature'>): string =>
  `remote image ${siteId} ${expires} ${url}`;

/**
 * The address at which this server serves an image of another one for the next 6 to 12 hours, without revealing the
 * reader; undefined for an address that is too long.
 */
export function remoteImagePath(ctx: SiteContext, url: string): string | undefined {
  const { services, site } = ctx;
  if (url.length > URL_MAX) return undefined;
  const expires = (Math.floor(ctx.now().getTime() / STEP_MS) + 2) * (STEP_MS / 1000);
  const signature = services.derivedToken(purposeOf({ siteId: site.id, expires, url }));
  const query = new URLSearchParams({ site: `${site.id}`, expires: `${expires}`, signature, url });
  return `${services.address.filesUrl ?? ''}/mail-images?${query}`;
}

/** Whether this server created the link, and it hasn't expired. */
export function isGoodImageLink(
  services: Deriver,
  { signature, ...link }: RemoteImageLink,
  now: Date,
): boolean {
  const isOurs = isAmong(signature, services.derivedToken.all(purposeOf(link)));
  return isOurs && link.expires * 1000 > now.getTime();
}

async function readBounded(response: Response): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > IMAGE_MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Fetches images for mails: no cookies and no referrer, a limited size and time, and only files that begin as an image
 * of a known format, whatever their name.
 * @param guardedFetch refuses private addresses and follows no redirect, so that each one is checked
 */
export function createImageFetcher(guardedFetch: typeof fetch): FetchImage {
  const get = async (
    url: string,
    signal: AbortSignal,
    redirects: number,
  ): Promise<RemoteImage | undefined> => {
    const response = await guardedFetch(url, { headers: { accept: 'image/*' }, signal });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      const next = URL.parse(location, url);
      return next && redirects > 0 ? get(next.href, signal, redirects - 1) : undefined;
    }
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const content = await readBounded(response);
    const contentType = content && imageTypeOf(content);
    return contentType && { contentType, content };
  };
  const semaphore = createSemaphore(AT_ONCE);
  return (url) =>
    semaphore.run(() => get(url, AbortSignal.timeout(TIME_MAX_MS), REDIRECTS_MAX).catch(() => undefined));
}
