import type { HelloFrame } from '@foyer/protocol';
import { CLOSE_BROKEN, type SocketLike } from '@foyer/protocol/browser/line';
import { CLOSE_FAILED } from '@foyer/protocol/values/socket-line';
import type { startProbe } from './probe.ts';

/** Sockets in a row that were not welcomed, before the same is tried over requests. */
const SOCKETS_TRIED = 2;

export interface TransportParts {
  open: () => SocketLike;
  /** The same frames over requests, for networks that let no socket through. */
  openPoll: () => Promise<SocketLike>;
  hello: () => HelloFrame;
}

/** From time to time a socket is tried beside the requests, which stay until it is welcomed. */
const probeLater = (...asked: Parameters<typeof startProbe>): (() => void) => {
  let isOver = false;
  let end = () => {
    isOver = true;
  };
  import('./probe.ts').then(
    (probe) => {
      if (!isOver) end = probe.startProbe(...asked);
    },
    // Without its code the line stays as it is until it breaks.
    () => {},
  );
  return () => end();
};

/**
 * Chooses between a socket and requests, by what the network lets through.
 * @param onOpen takes what `open` has opened
 * @param onFailed nothing could be opened
 * @param onBetter a socket got through beside the requests, with its first frame
 */
export const createTransport = (
  parts: TransportParts,
  onOpen: (opened: SocketLike) => void,
  onFailed: () => void,
  onBetter: (opened: SocketLike, data: unknown) => void,
) => {
  let isOverRequests = false;
  let unwelcomed = 0;
  /** The same, for one that the other end has closed properly. */
  let tried = 0;
  /** What loads may be there when something else is wanted. */
  let attempt = 0;
  let endProbe: (() => void) | undefined;

  const greet = (opened: SocketLike): SocketLike => {
    opened.onopen = () => {
      // It opens and is not welcomed in time: something on the way swallows what sockets bring, and will again.
      if (!isOverRequests) unwelcomed = SOCKETS_TRIED;
      opened.send(JSON.stringify(parts.hello()));
    };
    return opened;
  };
  return {
    open() {
      const mine = ++attempt;
      isOverRequests = unwelcomed >= SOCKETS_TRIED;
      // If these fail too, the server may be away: a socket is tried next.
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
      // A line that breaks comes back the way it went.
      unwelcomed = isOverRequests ? SOCKETS_TRIED : 0;
      tried = 0;
      if (isOverRequests) endProbe = probeLater(() => greet(parts.open()), onBetter);
    },
    closed(code: number) {
      if (isOverRequests || code === CLOSE_BROKEN) return;
      // With a code of ours the server has closed it. Any other may come from something on the way.
      unwelcomed = code >= CLOSE_FAILED ? 0 : tried;
    },
    /** Nothing that is under way is wanted any more. */
    drop() {
      attempt++;
      isOverRequests = false;
      endProbe?.();
    },
  };
};
