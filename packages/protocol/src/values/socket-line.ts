/**
 * Two sockets, one protocol of JSON text frames:
 * `/widget/socket?site=PUBLIC_KEY` for a visitor, whose first frame is `hello`;
 * `/app/socket` for an agent, known by the dashboard's cookie.
 * Here is what both ends of a line keep to, apart from the schemas of the frames.
 */

export const SOCKET_FRAME_MAX_BYTES = 64 * 1024;

/** Without a frame from the client for this long the server closes the socket with 4008. */
export const SOCKET_IDLE_MS = 45_000;
/** How often a client sends `ping`; no `pong` before the next one means that the line is dead. */
export const SOCKET_PING_MS = 15_000;

/** A request that fetches frames is held for so long: less than proxies wait for an answer. */
export const POLL_HOLD_MS = 25_000;
export const POLL_FRAMES_MAX = 100;

/** Something failed on the server; the client comes back after a while. */
export const CLOSE_FAILED = 1011;
export const CLOSE_RESTART = 1012;
/** Too many new browsers from one address: the client comes back, later each time. */
export const CLOSE_TRY_LATER = 1013;
export const CLOSE_UNAUTHORIZED = 4001;
export const CLOSE_TOO_SLOW = 4002;
export const CLOSE_IDLE = 4008;
