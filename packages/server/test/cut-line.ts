import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP line between a browser and the server that can be cut and mended, as a real one is. */
export interface CutLine {
  port: number;
  /** Ends every connection at once, without a goodbye, and takes no new one. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openLine(targetPort: () => number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let whole = true;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server: Server = createServer((near) => {
    keep(near);
    if (!whole) return near.destroy();
    const far = connect(targetPort(), '127.0.0.1');
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the line has no port');
  return {
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
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
