import type { IncomingMessage } from 'node:http';
import { brotliCompressSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin, type Rolldown } from 'vite';

const FIRST_LOAD_MAX_BYTES = 180 * 1024;
/** What a signed-in agent sees first counts too: the frame, the inbox and an open chat. */
const FIRST_SCREENS = ['Shell', 'InboxScreen', 'ConversationScreen'];

/** It runs beside the page, under a name that stays: browsers ask by it whether there is a newer one. */
const WORKER = 'service-worker';
const WORKER_FILE = `${WORKER}.js`;
/** Stands in the worker's code for the files of the first load. */
const SHELL = '__SHELL__';
const BASE = '/app/';

/** Words come beside the code, in one language; German is the longest. */
const WORDS = /\/languages\/de\.ts$/;

type Bundle = Rolldown.OutputBundle;

const isWords = (part: Bundle[string] | undefined): boolean =>
  part?.type === 'chunk' && WORDS.test(part.facadeModuleId ?? '');

/** The files that a browser has to load, with all that they import, before it can show the first screen. */
function firstLoad(bundle: Bundle): Set<string> {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || files.has(name)) return;
    files.add(name);
    chunk.imports.forEach(visit);
    chunk.dynamicImports.filter((part) => isWords(bundle[part])).forEach(visit);
  };
  for (const [name, chunk] of Object.entries(bundle)) {
    if (chunk.type !== 'chunk' || chunk.name === WORKER) continue;
    if (chunk.isEntry || FIRST_SCREENS.includes(chunk.name)) visit(name);
  }
  return files;
}

/** Prints the weight of the first load's script and fails the build over the limit. */
function weighFirstLoad(): Plugin {
  return {
    name: 'weigh-first-load',
    apply: 'build',
    enforce: 'post',
    writeBundle(_options, bundle) {
      let bytes = 0;
      for (const name of firstLoad(bundle)) {
        const chunk = bundle[name];
        if (chunk?.type === 'chunk') bytes += brotliCompressSync(chunk.code).length;
      }
      const kib = (bytes / 1024).toFixed(1);
      const line = `first load: ${kib} KB brotli of script (limit ${FIRST_LOAD_MAX_BYTES / 1024} KB)`;
      if (bytes > FIRST_LOAD_MAX_BYTES) this.error(line);
      process.stdout.write(`${line}\n`);
    },
  };
}

/** The schemas weigh as much as half the first load, and only the server refuses by them. */
function refuseSchemas(): Plugin {
  return {
    name: 'refuse-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^zod$/ },
      handler: (_id, importer) => {
        throw new Error(`${importer} brings schemas: browsers import the bounds and names that stand apart`);
      },
    },
  };
}

/** Tells the service worker which files the first screen needs; with them its own bytes change, and browsers take it anew. */
function nameShell(): Plugin {
  return {
    name: 'name-shell',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle[WORKER_FILE];
      if (worker?.type !== 'chunk' || worker.imports.length > 0) this.error('the service worker is one file');
      const styles = Object.keys(bundle).filter((name) => /^assets\/index-[^/]*\.css$/.test(name));
      const files = [...firstLoad(bundle), ...styles].toSorted().map((name) => BASE + name);
      worker.code = worker.code.replace(SHELL, JSON.stringify(files));
    },
  };
}

/** The running Foyer behind the dev server, such as one started by `npm run demo`. */
const { FOYER_BASE_URL = 'http://localhost:3000' } = loadEnv('development', import.meta.dirname, 'FOYER_');
/** What the dev server answers itself below BASE. Everything else there is a call to the server. */
const OWN_FILES = /^\/app\/(@|src\/|node_modules\/|[^/]+\.(svg|png|webmanifest)$)/;

const isOwn = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && (OWN_FILES.test(url) || (headers.accept ?? '').includes('text/html'));

export default defineConfig({
  base: BASE,
  server: {
    port: 5173,
    strictPort: true,
    // The host stays as the browser sent it: the server accepts writes and sockets only from the host it was called by.
    proxy: {
      // First, and alone with `ws`: Vite's own socket for updates is below /app/ too and must not be passed on.
      '^/(app|widget)/socket': { target: FOYER_BASE_URL, ws: true },
      '^/app/': {
        target: FOYER_BASE_URL,
        bypass: (request) => (isOwn(request) ? request.url : undefined),
      },
      '^/(?!app/)': { target: FOYER_BASE_URL },
    },
  },
  plugins: [react(), tailwindcss(), refuseSchemas(), nameShell(), weighFirstLoad()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // light-dark() is used as it is; without these the minifier rewrites it into something heavier.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    // Inlined files would be data: addresses, which the policy for fonts and scripts does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: 'index.html', [WORKER]: `worker/${WORKER}.ts` },
      output: {
        entryFileNames: ({ name }) => (name === WORKER ? WORKER_FILE : 'assets/[name]-[hash].js'),
      },
    },
  },
});
