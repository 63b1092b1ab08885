import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response at one path; a string is a page. */
type Answer =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | ((headers: IncomingHttpHeaders) => Answer);

/** A website on the loopback, whose pages a test can change. */
export interface Website {
  /** Without a trailing slash. */
  readonly url: string;
  readonly pages: Record<string, Answer>;
  /** The requested paths in order, with their headers. */
  readonly asked: { path: string; headers: IncomingHttpHeaders }[];
  /** The maximum number of concurrent requests. */
  readonly mostAtOnce: () => number;
  close(): Promise<void>;
}

export async function startWebsite(pages: Record<string, Answer> = {}): Promise<Website> {
  const asked: Website['asked'] = [];
  let now = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.push({ path, headers: request.headers });
    now += 1;
    most = Math.max(most, now);
    response.once('close', () => {
      now -= 1;
    });
    let answer = pages[path];
    while (typeof answer === 'function') answer = answer(request.headers);
    const {
      status = 200,
      headers = {},
      body = '',
    } = typeof answer === 'string' ? { body: answer } : (answer ?? { status: 404 });
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pages,
    asked,
    mostAtOnce: () => most,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A page with a main part and its surroundings. */
export const pageOf = (title: string, text: string, head = ''): string =>
  `<!doctype html><html><head><title>${title} – Shop</title>${head}</head><body><nav><a href="/">Home page</a></nav>
<main><h1>${title}</h1>${text}</main><footer>Imprint of the shop</footer></body></html>`;
