import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WidgetLook } from '@foyer/protocol';
import { build } from 'vite';

/** One request that the SDK made to the service. */
export interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export interface Service {
  origin: string;
  received: Received[];
  /** The statuses of the next responses to requests with data; 202 when there are no more. */
  answers: number[];
  /** Every requested address, in order. */
  asked: string[];
  /** What the site's settings say. */
  config: { consent: boolean; live?: boolean; look: WidgetLook };
  stop(): Promise<void>;
}

export interface Shop {
  origin: string;
  /** The page that is served next. */
  page: { html: string; headers: Record<string, string> };
  stop(): Promise<void>;
}

/** A fake widget: records the messages it got, and sends what a test wants. */
const WIDGET = `<!doctype html><title>Widget</title><input id="field"><script>
window.got = [];
window.say = (message) => parent.postMessage({ foyer: 1, ...message }, '*');
addEventListener('message', (event) => {
  got.push(event.data);
  if (event.data.type === 'init') say({ type: 'here' });
});
addEventListener('keydown', (event) => { if (event.key === 'Escape') say({ type: 'close' }); });
</script>`;

export const LOOK: WidgetLook = {
  color: '#ffd400',
  position: 'right',
  launcher_text: '',
  logo_url: null,
  theme: 'auto',
};

/** One teal pixel. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNgiI36DwACTAFz5jKqXQAAAABJRU5ErkJggg==',
  'base64',
);

const listen = async (handle: (request: IncomingMessage, response: ServerResponse) => void) => {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, port };
};
const stopping = (server: Server) => () =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** The real SDK, built for the test, with just enough of a server around it. */
export const startService = async (): Promise<Service> => {
  const outDir = mkdtempSync(join(tmpdir(), 'foyer-sdk-'));
  const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  const scripts = new Map(
    ['visitor-sdk.js', 'launcher.js', 'live.js', 'proactive.js', 'rest.js'].map((name) => [
      `/assets/js/${name}`,
      readFileSync(join(outDir, name)),
    ]),
  );
  rmSync(outDir, { recursive: true });

  const received: Received[] = [];
  const answers: number[] = [];
  const asked: string[] = [];
  const config: Service['config'] = { consent: false, look: { ...LOOK } };
  const { server, port } = await listen((request, response) => {
    const cors = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
    };
    const path = request.url ?? '';
    const send = (status: number, type: string, body: string | Buffer) =>
      response.writeHead(status, { ...cors, 'Content-Type': type }).end(body);
    asked.push(path);
    const script = scripts.get(path);
    if (script) return send(200, 'text/javascript', script);
    if (path === '/logo.png') return send(200, 'image/png', LOGO);
    if (path.startsWith('/widget/config?site=unknown')) {
      return send(404, 'application/json', '{"ok":false,"error":{"code":"not_found"}}');
    }
    if (path.startsWith('/widget/config')) {
      return send(
        200,
        'application/json',
        JSON.stringify({ ok: true, data: { ...config, extras: config.live ? { live: [''] } : {} } }),
      );
    }
    if (request.method === 'OPTIONS') return send(204, 'text/plain', '');
    if (request.method === 'POST') {
      let text = '';
      request.on('data', (part) => {
        text += part;
      });
      request.on('end', () => {
        received.push({ path, headers: request.headers, body: JSON.parse(text) });
        send(answers.shift() ?? 202, 'application/json', '{}');
      });
      return;
    }
    send(200, 'text/html', WIDGET);
  });
  // localhost, not 127.0.0.1, so that the browser sees another site than the shop's.
  return { origin: `http://localhost:${port}`, received, answers, asked, config, stop: stopping(server) };
};

export const startShop = async (): Promise<Shop> => {
  const page: Shop['page'] = { html: '', headers: {} };
  const { server, port } = await listen((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', ...page.headers }).end(page.html);
  });
  return { origin: `http://127.0.0.1:${port}`, page, stop: stopping(server) };
};
