import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The same as received. */
  bytes: Buffer;
}

export interface Receiver {
  url: string;
  /** In the order in which they were complete. */
  requests: ReceivedRequest[];
  connections(): number;
  /** Resolves once this many requests have arrived. */
  received(count: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest, index: number) => void;

export const answerWith =
  (status: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Ends the connection instead of a response. */
export const reset: Answer = (response) => {
  response.socket?.resetAndDestroy();
};

/** A success that is cut off before its end. */
export const halfAnAnswer: Answer = (response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('half of it', () => response.socket?.destroy());
};

/** A success, sent a byte at a time and never complete. */
export const dripping: Answer = (response) => {
  const drip = setInterval(() => response.write('.'), 10);
  response.once('close', () => clearInterval(drip));
};

/** An endless success, as fast as it is read. */
export const endless: Answer = (response) => {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(1000)));
  };
  response.on('drain', more);
  more();
};

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body: bytes.toString('utf8'),
    bytes,
  };
}

/**
 * A real HTTP server on the loopback, for tests: `answer` handles each request.
 * @param tls makes it an HTTPS server with this certificate.
 */
export async function startReceiver(
  answer: Answer = answerWith(204),
  tls?: { cert: string; key: string },
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  let connections = 0;
  const onRequest: http.RequestListener = (request, response) => {
    void readRequest(request).then(
      (received) => {
        requests.push(received);
        for (const check of waiting) check();
        answer(response, received, requests.length - 1);
      },
      () => undefined,
    );
  };
  const server = tls ? https.createServer(tls, onRequest) : http.createServer(onRequest);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    requests,
    connections: () => connections,
    received: (count) =>
      new Promise((done) => {
        const check = () => {
          if (requests.length < count) return;
          waiting.delete(check);
          done(requests);
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
