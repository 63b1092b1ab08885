import {
  type Availability,
  CLOSE_FAILED,
  CLOSE_IDLE,
  CLOSE_TRY_LATER,
  CLOSE_UNAUTHORIZED,
  type HelloFrame,
  type ServerFrame,
  SOCKET_BEAT_MS,
} from '@foyer/protocol';
import type { FastifyBaseLogger } from 'fastify';
import { AppError, toAppError } from '../base/errors.ts';
import type { Semaphore } from '../base/semaphore.ts';
import type { Actor } from '../core/actor.ts';
import type { Proof, Site, SiteContext } from '../core/context.ts';
import type { Challenges } from '../limits/challenges.ts';
import { serveConnection } from './connection.ts';
import { readFrame } from './frames.ts';
import type { Hub } from './hub.ts';
import { followPages, type OpenPages } from './line-pages.ts';
import type { TypingFrame } from './notices.ts';
import { createPeer, type Peer } from './peer.ts';
import type { PresenceBoard } from './presence.ts';
import { isSolvable, Solving } from './solving.ts';
import type { Transport } from './transport.ts';

/** A visitor's connection is closed if no hello arrives in this time. */
const HELLO_TIMEOUT_MS = 10_000;
/** How many first frames may be something else than hello. Each gets a response, which the client may not read. */
const HELLOS_MAX = 10;
/** A hello that waits for longer gets signs of life. Clients open another connection after 1 to 2 s of silence. */
const FIRST_BEAT_MS = 700;
/** Then its client may try another process. */
const BEATS_MAX_MS = 30_000;

type Visitor = Extract<Actor, { kind: 'visitor' }>;
export type Welcome = Omit<Extract<ServerFrame, { type: 'welcome' }>, 'type' | keyof Availability>;

export interface VisitorOptions {
  hub: Hub;
  presence: PresenceBoard;
  availabilityOf(siteId: number): Promise<Availability>;
  contextFor(
    site: Site,
    actor: Actor,
    requestId: string,
    caller: string | undefined,
    proof: Proof,
  ): SiteContext;
  challenges: Challenges;
  /**
   * Handles as many hellos at once as there are connections to the database; the others wait in order. If all of the
   * thousands who return after a restart were answered at the same pace, each would wait for the last, and open one
   * connection after another meanwhile, each with a hello.
   */
  hellos: Semaphore;
  newRequestId(): string;
  lastSeqOf(ctx: SiteContext, sessionId: string): Promise<number | undefined>;
  passTyping(siteId: number, frame: TypingFrame): void;
  /** The site with this public key; undefined for an unknown one. */
  findSite(publicKey: string): Promise<Site | undefined>;
  welcome(
    site: Site,
    hello: HelloFrame,
    caller: Pick<Caller, 'userAgent' | 'caller'> & { proof: Proof },
  ): Promise<{ actor: Visitor; welcome: Welcome }>;
  pages: OpenPages;
}

/** Creates a context and a request id for every call, because a guest may have become a visitor since the last. */
export function perCall({ contextFor, newRequestId }: Pick<VisitorOptions, 'contextFor' | 'newRequestId'>) {
  return (peer: Peer, proof: Proof = 'none') => {
    const requestId = newRequestId();
    return { ctx: contextFor(peer.site, peer.actor, requestId, peer.caller, proof), requestId };
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
  new Handshake(transport, caller, options).open();
}

/** Waits for the hello, answers it, and asks for a proof of work before if it has to. */
class Handshake {
  readonly #transport: Transport;
  readonly #caller: Caller;
  readonly #options: VisitorOptions;
  #attempts = 0;
  /** The calls that wait for its solution. */
  #solving: Solving | undefined;

  constructor(transport: Transport, caller: Caller, options: VisitorOptions) {
    this.#transport = transport;
    this.#caller = caller;
    this.#options = options;
  }

  open(): void {
    const transport = this.#transport;
    const timeout = setTimeout(() => transport.close(CLOSE_IDLE, 'no hello'), HELLO_TIMEOUT_MS);
    transport.onClose(() => clearTimeout(timeout));
    transport.onFrame((data, isText) => {
      try {
        const frame = readFrame(data, isText);
        const solving = this.#solving;
        if (solving && frame.type === 'solution') return this.#run(() => solving.redeem(frame));
        if (solving || frame.type !== 'hello')
          throw new AppError('unauthorized', 'The first frame must be hello.');
        clearTimeout(timeout);
        this.#run(() => this.#greet(frame, frame.solves ? 'possible' : 'none'));
      } catch (thrown) {
        sendError(transport, toAppError(thrown), this.#options.newRequestId());
        if (++this.#attempts >= HELLOS_MAX) transport.close(CLOSE_IDLE, 'no hello');
      }
    });
  }

  /** Frames that arrive meanwhile wait. */
  #run(work: () => Promise<void>): void {
    const release = this.#transport.hold();
    work()
      .catch((thrown) => this.#refuse(thrown))
      .finally(release);
  }

  #refuse(thrown: unknown): void {
    refuse(this.#transport, this.#caller, this.#options.newRequestId(), thrown);
  }

  async #greet(hello: HelloFrame, proof: Proof): Promise<void> {
    const rest = beat(this.#transport);
    try {
      await this.#options.hellos.run(async () => {
        // A client that opened another connection meanwhile has closed this one.
        if (!this.#transport.isOpen) return;
        await greet(this.#transport, hello, { ...this.#caller, proof }, this.#options);
      });
    } catch (thrown) {
      if (!isSolvable(thrown)) throw thrown;
      await this.#challenge(hello, thrown);
    } finally {
      rest();
    }
  }

  async #challenge(hello: HelloFrame, refusal: unknown): Promise<void> {
    const { challenges, findSite } = this.#options;
    const { publicKey, caller } = this.#caller;
    const transport = this.#transport;
    const site = await findSite(publicKey);
    if (!site || !transport.isOpen) throw refusal;
    this.#solving = new Solving({
      challenges,
      siteId: site.id,
      caller,
      send: (frame) => transport.send(JSON.stringify(frame)),
      onClose: transport.onClose,
    });
    const proceed = () => this.#run(() => this.#greet(hello, 'given'));
    await this.#solving.ask(undefined, proceed, () => this.#refuse(refusal));
  }
}

/**
 * Sends signs of life while a hello waits for its turn. Without them, each of thousands who return at once would open
 * up to four connections.
 * @returns ends them
 */
function beat(transport: Transport): () => void {
  const pong = () =>
    transport.isOpen && transport.send(JSON.stringify({ type: 'pong' } satisfies ServerFrame));
  let beats: NodeJS.Timeout | undefined;
  const first = setTimeout(() => {
    pong();
    beats = setInterval(pong, SOCKET_BEAT_MS);
  }, FIRST_BEAT_MS);
  const last = setTimeout(() => clearInterval(beats), BEATS_MAX_MS);
  return () => {
    clearTimeout(first);
    clearInterval(beats);
    clearTimeout(last);
  };
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
  { publicKey, log, userAgent, caller, proof }: Caller & { proof: Proof },
  options: VisitorOptions,
): Promise<void> {
  const { hub, availabilityOf, lastSeqOf, passTyping, newRequestId } = options;
  const site = await options.findSite(publicKey);
  if (!site) {
    const error = new AppError('not_found', 'No such site.');
    return refuse(transport, { log }, newRequestId(), error, CLOSE_UNAUTHORIZED);
  }
  const { actor, welcome } = await options.welcome(site, hello, { userAgent, caller, proof });
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
    solving: hello.solves
      ? new Solving({
          challenges: options.challenges,
          siteId: site.id,
          caller,
          send: peer.send,
          onClose: transport.onClose,
        })
      : undefined,
    page: ({ page_url: url = '', page_title: title }) =>
      pages.show({ url, title: title || null, referrer: null }),
    closed: pages.end,
  });
}
