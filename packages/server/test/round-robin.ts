import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A stateless load balancer without health checks: each connection goes to the next process, or to the one after it if
 * nothing listens. A hanging process gets its share, because its kernel still accepts connections.
 */
export interface RoundRobin {
  url: string;
  /** How many sockets of visitors the process at this place of the list has now. */
  visitorsOf(place: number): number;
  close(): Promise<void>;
}

const VISITOR = /^GET \/widget\/socket/;

/** @param ports of the processes; a process that was restarted on another port keeps its place */
export async function openRoundRobin(ports: () => readonly number[]): Promise<RoundRobin> {
  const open = new Set<Socket>();
  const visitors: Socket[][] = [];
  let turn = 0;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => open.delete(socket));
  };
  const pass = (near: Socket, first: Buffer, place: number): void => {
    const mine = visitors[place];
    if (VISITOR.test(first.toString('latin1')) && mine) {
      mine.push(near);
      near.once('close', () => mine.splice(mine.indexOf(near), 1));
    }
  };
  const join = (near: Socket, first: Buffer, triesLeft: number): void => {
    const list = ports();
    const place = turn++ % list.length;
    visitors[place] ??= [];
    const far = connect(list[place] ?? 0, '127.0.0.1');
    keep(far);
    const refused = (): void => {
      if (triesLeft > 0) join(near, first, triesLeft - 1);
      else near.destroy();
    };
    far.once('error', refused);
    far.once('connect', () => {
      far.off('error', refused);
      pass(near, first, place);
      far.write(first);
      near.pipe(far);
      far.pipe(near);
      near.once('close', () => far.destroy());
      far.once('close', () => near.destroy());
    });
  };
  const server = createServer((near) => {
    keep(near);
    near.once('data', (first) => {
      near.pause();
      join(near, first, ports().length - 1);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    visitorsOf: (place) => visitors[place]?.length ?? 0,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
