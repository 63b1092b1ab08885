import type { SocketLike } from '@foyer/protocol/browser/line';

/** The pause before a socket is tried again, at first and at most. */
const FIRST_MS = 5 * 60_000;
const LONGEST_MS = 60 * 60_000;
/** From opening to the welcome. */
const WELCOME_MS = 6_000;

/**
 * Tries sockets beside a polling connection, with growing pauses, until one is welcomed.
 * @param open opens a socket and says hello
 * @param onWelcome the socket works; called with its first frame
 * @returns a function that stops it
 */
export const startProbe = (
  open: () => SocketLike,
  onWelcome: (opened: SocketLike, data: unknown) => void,
): (() => void) => {
  let probe: SocketLike | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_MS;

  const end = () => {
    clearTimeout(timer);
    const ended = probe;
    probe = undefined;
    ended?.close();
  };
  const later = () => {
    end();
    timer = setTimeout(attempt, waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_MS);
  };
  const attempt = () => {
    let opened: SocketLike;
    try {
      opened = open();
    } catch {
      return later();
    }
    probe = opened;
    timer = setTimeout(later, WELCOME_MS);
    opened.onclose = () => probe === opened && later();
    opened.onmessage = ({ data }) => {
      if (probe !== opened) return;
      probe = undefined;
      onWelcome(opened, data);
    };
  };

  later();
  return end;
};
