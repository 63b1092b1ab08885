import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const PROBE_MS = 100;

/** A load balancer as operators have it: a process that fails `/readyz` gets no new requests. */
export interface ReadyBalancer {
  url: string;
  close(): Promise<void>;
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

export async function openReadyBalancer(targets: readonly string[]): Promise<ReadyBalancer> {
  const ready = new Set<string>();
  const probe = async (url: string): Promise<void> => {
    if (await isReady(url)) ready.add(url);
    else ready.delete(url);
  };
  await Promise.all(targets.map(probe));
  let isOpen = true;
  // In sequence: on a busy machine a response may take longer than the pause.
  const watch = async (url: string): Promise<void> => {
    while (isOpen) {
      await probe(url);
      await delay(PROBE_MS);
    }
  };
  for (const url of targets) void watch(url);
  let turn = 0;
  const next = (): URL => {
    const all = [...ready];
    return new URL(all[turn++ % all.length] ?? targets[0] ?? '');
  };
  const server = createServer((incoming, answer) => {
    const { method, headers, url = '/' } = incoming;
    // A connection for each request: a kept one may be closed by its process at any moment.
    const onward = request(new URL(url, next()), { method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  server.on('upgrade', (incoming, near, head) => {
    const { hostname, port } = next();
    const far = connect(Number(port), hostname, () => {
      const { rawHeaders } = incoming;
      const lines = rawHeaders.flatMap((name, index) =>
        index % 2 ? [] : [`${name}: ${rawHeaders[index + 1]}`],
      );
      far.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      far.write(head);
      far.pipe(near).pipe(far);
    });
    far.on('error', () => near.destroy());
    near.on('error', () => far.destroy());
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      isOpen = false;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
