import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A load balancer before several processes: requests go to the next one in turn, and sockets to none. */
export interface Balancer {
  url: string;
  /** The number of requests of connections without a socket, by process. */
  polls: number[];
  close(): Promise<void>;
}

export async function openBalancer(targets: readonly string[]): Promise<Balancer> {
  const polls = targets.map(() => 0);
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const index = turn++ % targets.length;
    if (incoming.url?.startsWith('/widget/poll')) polls[index] = (polls[index] ?? 0) + 1;
    const { method, headers, url = '/' } = incoming;
    const onward = request(new URL(url, targets[index]), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on('upgrade', (_request, socket) =>
    socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    polls,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
