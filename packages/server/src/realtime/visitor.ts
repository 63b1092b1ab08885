import {
  type Availability,
  CLOSE_FAILED,
  CLOSE_IDLE,
  CLOSE_TRY_LATER,
  CLOSE_UNAUTHORIZED,
  type HelloFrame,
  type ServerFrame,
} from '@foyer/protocol';
import type { FastifyBaseLogger } from 'fastify';
import { AppError, toAppError } from '../base/errors.ts';
import type { Actor } from '../core/actor.ts';
import type { Site, SiteContext } from '../core/context.ts';
import { serveConnection } from './connection.ts';
import { readFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import { followPages, type OpenPages } from './line-pages.ts';
import type { TypingFrame } from './notices.ts';
import { createPeer, type Peer } from './peer.ts';
import type { PresenceBoard } from './presence.ts';
import type { Transport } from './transport.ts';

/** A visitor's connection is closed if no hello arrives in this time. */
const HELLO_TIMEOUT_MS = 10_000;
/** How many first frames may be something else than hello. Each gets a response, which the client may not read. */
const HELLOS_MAX = 10;

type Visitor = Extract<Actor, { kind: 'visitor' }>;
export type Welcome = Omit<Extract<ServerFrame, { type: 'welcome' }>, 'type' | keyof Availability>;

export interface VisitorOptions {
  hub: Hub;
  presence: PresenceBoard;
  availabilityOf(siteId: number): Promise<Availability>;
  contextFor(site: Site, actor: Actor, requestId: string, caller: string | undefined): SiteContext;
  newRequestId(): string;
  lastSeqOf(ctx: SiteContext, sessionId: string): Promise<number | undefined>;
  passTyping(siteId: number, frame: TypingFrame): void;
  /** The site with this public key; undefined for an unknown one. */
  findSite(publicKey: string): Promise<Site | undefined>;
  welcome(
    site: Site,
    hello: HelloFrame,
    caller: Pick<Caller, 'userAgent' | 'caller'>,
  ): Promise<{ actor: Visitor; welcome: Welcome }>;
  pages: OpenPages;
}

/** Creates a context and a request id for every call, because a guest may have become a visitor since the last. */
export function perCall({ contextFor, newRequestId }: Pick<VisitorOptions, 'contextFor' | 'newRequestId'>) {
  return (peer: Peer) => {
    const requestId = newRequestId();
    return { ctx: contextFor(peer.site, peer.actor, requestId, peer.caller), requestId };
  };
}

const visitorOf = ({ actor }: Peer): Visitor => {
  if (actor.kind !== 'visitor') throw new Error('a visitor’s line became an agent’s');
  return actor;
};

/** Where a connection comes from. */
interface Caller {
  publicKey: string;
  log: FastifyBaseLogger;
  userAgent: string | undefined;
  /** The key that limits count the address by. */
  caller: string;
}

/** Serves a visitor on any transport: the handshake, which is the first frame, and everything after it. */
export function serveVisitor(transport: Transport, caller: Caller, options: VisitorOptions): void {
  const { newRequestId } = options;
  let attempts = 0;
  const timeout = setTimeout(() => transport.close(CLOSE_IDLE, 'no hello'), HELLO_TIMEOUT_MS);
  transport.onClose(() => clearTimeout(timeout));
  transport.onFrame((data, isText) => {
    try {
      const frame = readFrame(data, isText);
      if (frame.type !== 'hello') throw new AppError('unauthorized', 'The first frame must be hello.');
      clearTimeout(timeout);
      // Frames arriving during the handshake wait for it.
      const release = transport.hold();
      greet(transport, frame, caller, options)
        .catch((thrown) => refuse(transport, caller, newRequestId(), thrown))
        .finally(release);
    } catch (thrown) {
      sendError(transport, toAppError(thrown), newRequestId());
      if (++attempts >= HELLOS_MAX) transport.close(CLOSE_IDLE, 'no hello');
    }
  });
}

function sendError(transport: Transport, error: AppError, requestId: string): void {
  transport.send(JSON.stringify({ type: 'error', error: error.body(requestId) } satisfies ServerFrame));
}

/** Answers a failed hello, and closes with `code` or one that says whether to retry. */
function refuse(
  transport: Transport,
  { log }: Pick<Caller, 'log'>,
  requestId: string,
  thrown: unknown,
  code?: number,
): void {
  const error = toAppError(thrown);
  const isBusy = error.code === 'rate_limited';
  if (error.status >= 500) log.error({ err: error.cause ?? error }, 'hello failed');
  sendError(transport, error, requestId);
  transport.close(code ?? (isBusy ? CLOSE_TRY_LATER : CLOSE_FAILED), error.code);
}

/** Answers a hello with the welcome, and hands the transport over to the connection. */
async function greet(
  transport: Transport,
  hello: HelloFrame,
  { publicKey, log, userAgent, caller }: Caller,
  options: VisitorOptions,
): Promise<void> {
  const { hub, availabilityOf, lastSeqOf, passTyping, newRequestId } = options;
  const site = await options.findSite(publicKey);
  if (!site) {
    const error = new AppError('not_found', 'No such site.');
    return refuse(transport, { log }, newRequestId(), error, CLOSE_UNAUTHORIZED);
  }
  const { actor, welcome } = await options.welcome(site, hello, { userAgent, caller });
  const availability = await availabilityOf(site.id);
  if (!transport.isOpen) return;
  const peer = createPeer(transport, site, actor, caller);
  peer.send({ type: 'welcome', ...welcome, ...availability });
  const pages = followPages(options.pages, { site, visitor: () => visitorOf(peer), log });
  const { page_url = '', page_title, referrer } = hello;
  pages.show({ url: page_url, title: page_title || null, referrer: referrer || null });
  serveConnection({
    transport,
    peer,
    hub,
    lastSeqOf,
    passTyping,
    previews: welcome.site.typing_preview,
    contextFor: perCall(options),
    page: ({ page_url: url = '', page_title: title }) =>
      pages.show({ url, title: title || null, referrer: null }),
    closed: pages.end,
  });
}
