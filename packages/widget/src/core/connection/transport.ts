import type { Challenge, HelloFrame, SolvedChallenge } from '@foyer/protocol';
import { CLOSE_BROKEN, type SocketLike } from '@foyer/protocol/browser/line';
import { CLOSE_FAILED } from '@foyer/protocol/values/socket-line';

/** After this many sockets in a row without a welcome, polling is tried. */
const SOCKETS_TRIED = 2;
/**
 * The same where a socket has worked. There, it is more likely that the server is away or busy, and thousands who poll
 * would keep it so.
 */
const SOCKETS_TRIED_AGAIN = 5;
/** The pause before a socket is tried beside polling, at first and at most. */
const PROBE_FIRST_MS = 5 * 60_000;
const PROBE_MAX_MS = 60 * 60_000;

/** Solves a challenge of the server. */
export type Solve = (challenge: Challenge) => Promise<SolvedChallenge['solution']>;

export interface TransportParts {
  open: () => SocketLike;
  /** The same frames over requests, for networks that block sockets. */
  openPoll: () => Promise<SocketLike>;
  hello: () => HelloFrame;
}

/** Counts the sockets that got no welcome, to find out what the network allows. */
const createTally = () => {
  let tries = SOCKETS_TRIED;
  let unwelcomed = 0;
  /** The same count for sockets that the other end closed properly. */
  let tried = 0;
  return {
    /** Whether the next attempt is made over requests. */
    next(): boolean {
      const isOverRequests = unwelcomed >= tries;
      // If requests fail too, the server may be down: sockets are tried next.
      unwelcomed = tried = isOverRequests ? SOCKETS_TRIED - 1 : unwelcomed + 1;
      return isOverRequests;
    },
    /** Counts twice. */
    swallowed() {
      unwelcomed++;
    },
    welcomed(isOverRequests: boolean) {
      tries = isOverRequests ? SOCKETS_TRIED : SOCKETS_TRIED_AGAIN;
      // After a break, the same transport is used again.
      unwelcomed = isOverRequests ? tries : 0;
      tried = 0;
    },
    closed(code: number) {
      // One of our own codes: the server closed it. Any other may come from something in between.
      unwelcomed = code >= CLOSE_FAILED ? 0 : tried;
    },
  };
};

/** Tries a socket beside polling from time to time; polling stays until the socket is welcomed. */
const createProbes = (open: () => SocketLike, onBetter: (opened: SocketLike, data: unknown) => void) => {
  let probe: SocketLike | undefined;
  let timer: ReturnType<typeof setTimeout>;
  const end = () => {
    clearTimeout(timer);
    probe?.close();
    probe = undefined;
  };
  const begin = (waitMs = PROBE_FIRST_MS) => {
    timer = setTimeout(() => {
      end();
      begin(Math.min(waitMs * 2, PROBE_MAX_MS));
      try {
        const opened = open();
        probe = opened;
        opened.onmessage = ({ data }) => {
          probe = undefined;
          onBetter(opened, data);
        };
      } catch {
        // The next one may be allowed.
      }
    }, waitMs);
  };
  return { begin, end };
};

/**
 * Chooses between a socket and polling, depending on what the network allows; what is opened beside a line that worked a
 * moment ago is of the same kind.
 * @param onOpen takes what `open` has opened
 * @param onFailed nothing could be opened
 * @param onBetter a socket works beside polling; called with its first frame
 */
export const createTransport = (
  parts: TransportParts,
  onOpen: (opened: SocketLike) => void,
  onFailed: () => void,
  onBetter: (opened: SocketLike, data: unknown) => void,
) => {
  const polls = new WeakSet<SocketLike>();
  /** Of the latest attempt. */
  let isOverRequests = false;
  const tally = createTally();
  /** What is being loaded may no longer be needed when it arrives. */
  let attempt = 0;

  const greet = (opened: SocketLike): SocketLike => {
    opened.onopen = () => {
      // A socket that opens but isn't welcomed in time: something in between swallows its frames, and will again.
      if (!polls.has(opened)) tally.swallowed();
      opened.send(JSON.stringify(parts.hello()));
    };
    return opened;
  };
  const probes = createProbes(() => greet(parts.open()), onBetter);
  return {
    open(isBeside: boolean) {
      const mine = ++attempt;
      if (!isBeside) isOverRequests = tally.next();
      if (isOverRequests) {
        parts.openPoll().then(
          (opened) => {
            polls.add(opened);
            if (mine === attempt) onOpen(greet(opened));
            else opened.close();
          },
          () => mine === attempt && onFailed(),
        );
        return;
      }
      try {
        onOpen(greet(parts.open()));
      } catch {
        onFailed();
      }
    },
    welcomed(over: SocketLike) {
      isOverRequests = polls.has(over);
      tally.welcomed(isOverRequests);
      probes.end();
      if (isOverRequests) probes.begin();
    },
    closed(code: number) {
      if (!isOverRequests && code !== CLOSE_BROKEN) tally.closed(code);
    },
    /** Drops everything in progress. */
    drop() {
      attempt++;
      isOverRequests = false;
      probes.end();
    },
  };
};
