import { hash } from 'node:crypto';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Faults of a connection besides a clean cut. */
export interface Faults {
  /**
   * For WebSocket upgrades: refused, as strict proxies do; accepted, with all frames dropped; or accepted by the
   * middlebox and closed at once.
   */
  sockets?: 'refused' | 'swallowed' | 'closed';
  /** Open connections silently lose everything from the server: one direction is cut. */
  silent?: boolean;
  /** Bytes a second in each direction. */
  bytesPerSecond?: number;
  /** For data from the server: returning true drops it and ends the connection. */
  loses?: (chunk: Buffer) => boolean;
}

/** A TCP proxy between a browser and the server that can be cut and restored, like a real network. */
export interface CutLine {
  port: number;
  /** Apply to all data from now on. */
  faults: Faults;
  /** Ends every connection at once, without a close frame, and accepts no new one. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

const UPGRADE = /^GET [^\r]*\r\n(?:[^\r]+\r\n)*upgrade: websocket\r\n/i;
const REFUSAL = 'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
/** RFC 6455: the key and GUID for the handshake's proof. */
const KEY = /sec-websocket-key: (\S+)/i;
const PROOF = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** A close frame with code 1000. */
const GOODBYE = Buffer.from([0x88, 2, 0x03, 0xe8]);

/** Accepts a socket and closes it at once. */
function acceptAndClose(near: Socket, request: string): void {
  const accept = hash('sha1', `${KEY.exec(request)?.[1]}${PROOF}`, 'base64');
  near.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  near.end(GOODBYE);
}

const SLICE_MS = 50;

/** Forwards at the line's speed, with backpressure to the sender. */
async function pass(chunk: Buffer, to: Socket, { bytesPerSecond }: Faults): Promise<void> {
  if (bytesPerSecond === undefined) return void to.write(chunk);
  const slice = Math.max(1, Math.floor((bytesPerSecond * SLICE_MS) / 1_000));
  for (let from = 0; from < chunk.length; from += slice) {
    to.write(chunk.subarray(from, from + slice));
    await new Promise((resolve) => setTimeout(resolve, SLICE_MS));
  }
}

export async function openLine(targetPort: () => number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let whole = true;
  const line: Pick<CutLine, 'faults'> = { faults: {} };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const slowly = async (from: Socket, to: Socket, chunk: Buffer): Promise<void> => {
    from.pause();
    await pass(chunk, to, line.faults);
    from.resume();
  };
  const server: Server = createServer((near) => {
    keep(near);
    if (!whole) return near.destroy();
    const far = connect(targetPort(), '127.0.0.1');
    keep(far);
    let isSwallowed = false;
    let isSilent = false;
    near.on('data', (chunk: Buffer) => {
      const request = chunk.toString('latin1');
      const asksForSocket = UPGRADE.test(request);
      if (asksForSocket && line.faults.sockets === 'refused') return near.end(REFUSAL);
      if (asksForSocket && line.faults.sockets === 'closed') return acceptAndClose(near, request);
      if (!isSwallowed) void slowly(near, far, chunk);
      // The handshake itself is passed on.
      if (asksForSocket && line.faults.sockets === 'swallowed') isSwallowed = true;
    });
    far.on('data', (chunk: Buffer) => {
      if (line.faults.loses?.(chunk)) return near.destroy();
      // Stays silent until the connection ends: TCP can't recover from lost data.
      isSilent ||= line.faults.silent === true;
      if (!isSilent) void slowly(far, near, chunk);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return Object.assign(line, {
    port: address.port,
    cut() {
      whole = false;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      whole = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
