import type { HelloFrame } from '@foyer/protocol';
import { CLOSE_BROKEN, type SocketLike } from '@foyer/protocol/browser/line';
import { CLOSE_FAILED } from '@foyer/protocol/values/socket-line';
import type { startProbe } from './probe.ts';

/** After this many sockets in a row without a welcome, polling is tried. */
const SOCKETS_TRIED = 2;

export interface TransportParts {
  open: () => SocketLike;
  /** The same frames over requests, for networks that block sockets. */
  openPoll: () => Promise<SocketLike>;
  hello: () => HelloFrame;
}

/** Tries a socket from time to time beside polling, which stays until the socket is welcomed. */
const probeLater = (...asked: Parameters<typeof startProbe>): (() => void) => {
  let isOver = false;
  let end = () => {
    isOver = true;
  };
  import('./probe.ts').then(
    (probe) => {
      if (!isOver) end = probe.startProbe(...asked);
    },
    // If its code can't be loaded, polling stays until it breaks.
    () => {},
  );
  return () => end();
};

/**
 * Chooses between a socket and polling, depending on what the network allows.
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
  let isOverRequests = false;
  let unwelcomed = 0;
  /** The same count for sockets that the other end closed properly. */
  let tried = 0;
  /** What is being loaded may no longer be needed when it arrives. */
  let attempt = 0;
  let endProbe: (() => void) | undefined;

  const greet = (opened: SocketLike): SocketLike => {
    opened.onopen = () => {
      // A socket that opens but isn't welcomed in time: something in between swallows its frames, and will again.
      if (!isOverRequests) unwelcomed = SOCKETS_TRIED;
      opened.send(JSON.stringify(parts.hello()));
    };
    return opened;
  };
  return {
    open() {
      const mine = ++attempt;
      isOverRequests = unwelcomed >= SOCKETS_TRIED;
      // If requests fail too, the server may be down: a socket is tried next.
      unwelcomed = tried = isOverRequests ? SOCKETS_TRIED - 1 : unwelcomed + 1;
      if (isOverRequests) {
        parts.openPoll().then(
          (opened) => (mine === attempt ? onOpen(greet(opened)) : opened.close()),
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
    welcomed() {
      // After a break, the same transport is used again.
      unwelcomed = isOverRequests ? SOCKETS_TRIED : 0;
      tried = 0;
      if (isOverRequests) endProbe = probeLater(() => greet(parts.open()), onBetter);
    },
    closed(code: number) {
      if (isOverRequests || code === CLOSE_BROKEN) return;
      // One of our own codes: the server closed it. Any other may come from something in between.
      unwelcomed = code >= CLOSE_FAILED ? 0 : tried;
    },
    /** Drops everything in progress. */
    drop() {
      attempt++;
      isOverRequests = false;
      endProbe?.();
    },
  };
};
