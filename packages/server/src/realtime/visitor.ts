import {
  type Availability,
  CLOSE_IDLE,
  CLOSE_UNAUTHORIZED,
  type HelloFrame,
  type ServerFrame,
} from '@foyer/protocol';
import type { FastifyBaseLogger } from 'fastify';
import type { Actor, Site, SiteContext } from '../context.ts';
import { AppError, toAppError } from '../errors.ts';
import { serveConnection } from './connection.ts';
import { readFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import { followPages, type OpenPages } from './line-pages.ts';
import type { TypingFrame } from './notices.ts';
import { createPeer, type Peer } from './peer.ts';
import type { PresenceBoard } from './presence.ts';
import type { Wire } from './wire.ts';

/** A visitor's line that says nothing is closed after this long. */
const HELLO_TIMEOUT_MS = 10_000;
/** First frames that are none; each is answered, and nobody may have read the answers. */
const HELLOS_MAX = 10;

type Visitor = Extract<Actor, { kind: 'visitor' }>;
export type Welcome = Omit<Extract<ServerFrame, { type: 'welcome' }>, 'type' | keyof Availability>;

export interface VisitorOptions {
  hub: Hub;
  presence: PresenceBoard;
  availabilityOf(siteId: number): Promise<Availability>;
  contextFor(site: Site, actor: Actor, requestId: string): SiteContext;
  newRequestId(): string;
  lastSeqOf(ctx: SiteContext, sessionId: string): Promise<number | undefined>;
  passTyping(siteId: number, frame: TypingFrame): void;
  /** The site of a public key, and a visitor's proof of who they are. */
  findSite(publicKey: string): Promise<Site | undefined>;
  welcome(
    site: Site,
    hello: HelloFrame,
    userAgent: string | undefined,
  ): Promise<{ actor: Visitor; welcome: Welcome }>;
  pages: OpenPages;
}

export function perCall({ contextFor, newRequestId }: Pick<VisitorOptions, 'contextFor' | 'newRequestId'>) {
  return (peer: Peer) => {
    const requestId = newRequestId();
    return { ctx: contextFor(peer.site, peer.actor, requestId), requestId };
  };
}

/** Where a line comes from. */
export interface Caller {
  publicKey: string;
  log: FastifyBaseLogger;
  userAgent: string | undefined;
}

/** A visitor's handshake, by its first frame, and all that follows, whatever brings the frames. */
export function serveVisitor(
  wire: Wire,
  { publicKey, log, userAgent }: Caller,
  options: VisitorOptions,
): void {
  const { hub, availabilityOf, lastSeqOf, passTyping, newRequestId } = options;
  let attempts = 0;
  const timeout = setTimeout(() => wire.close(CLOSE_IDLE, 'no hello'), HELLO_TIMEOUT_MS);
  const tell = (error: AppError): void =>
    wire.send(JSON.stringify({ type: 'error', error: error.body(newRequestId()) } satisfies ServerFrame));
  const refuse = (thrown: unknown, code: number): void => {
    const error = toAppError(thrown);
    if (error.status >= 500) log.error({ err: error.cause ?? error }, 'hello failed');
    tell(error);
    wire.close(code, error.code);
  };

  const greet = async (hello: HelloFrame): Promise<void> => {
    const site = await options.findSite(publicKey);
    if (!site) return refuse(new AppError('not_found', 'There is no such site.'), CLOSE_UNAUTHORIZED);
    const { actor, welcome } = await options.welcome(site, hello, userAgent);
    const availability = await availabilityOf(site.id);
    if (!wire.isOpen) return;
    const peer = createPeer(wire, site, actor);
    peer.send({ type: 'welcome', ...welcome, ...availability });
    const contextFor = perCall(options);
    const pages = followPages(options.pages, { site, actor, log });
    const { page_url = '', page_title, referrer } = hello;
    pages.show({ url: page_url, title: page_title || null, referrer: referrer || null });
    serveConnection({
      wire,
      peer,
      hub,
      lastSeqOf,
      passTyping,
      previews: welcome.site.typing_preview,
      contextFor,
      page: ({ page_url: url = '', page_title: title }) =>
        pages.show({ url, title: title || null, referrer: null }),
      closed: pages.end,
    });
  };

  wire.onClose(() => clearTimeout(timeout));
  wire.onFrame((data, isText) => {
    try {
      const frame = readFrame(data, isText);
      if (frame.type !== 'hello') throw new AppError('unauthorized', 'The first frame must be hello.');
      clearTimeout(timeout);
      // What arrives before the handshake is done waits for it.
      const go = wire.hold();
      greet(frame)
        .catch((thrown) => refuse(thrown, 1011))
        .finally(go);
    } catch (thrown) {
      tell(toAppError(thrown));
      if (++attempts >= HELLOS_MAX) wire.close(CLOSE_IDLE, 'no hello');
    }
  });
}
