/**
 * Two sockets with one protocol of JSON text frames: `/widget/socket?site=PUBLIC_KEY` for a visitor, whose first
 * frame is `hello`; `/app/socket` for an agent, identified by the desk's cookie. These constants apply to both
 * ends, separate from the schemas of the frames.
 */

export const SOCKET_FRAME_MAX_BYTES = 64 * 1024;

/** After this long without a frame from the client, the server closes the socket with 4008. */
export const SOCKET_IDLE_MS = 45_000;
/** How often a client sends `ping`. */
export const SOCKET_PING_MS = 15_000;
/** How often the server sends `pong` unasked. After a much longer silence a client tries another connection. */
export const SOCKET_BEAT_MS = 2_500;

/** How long a request for frames is held: less than proxies wait for a response. */
export const POLL_HOLD_MS = 25_000;
export const POLL_FRAMES_MAX = 100;

/** The server failed; the client reconnects after a while. */
export const CLOSE_FAILED = 1011;
export const CLOSE_RESTART = 1012;
/** Too many new browsers from one address: the client retries with growing delays. */
export const CLOSE_TRY_LATER = 1013;
export const CLOSE_UNAUTHORIZED = 4001;
export const CLOSE_TOO_SLOW = 4002;
export const CLOSE_IDLE = 4008;
