import type { IncomingMessage } from 'node:http';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';
import { firstLoad, gatherLoads, weighFirstLoad } from './first-load.ts';

/** Has no hash in its name: browsers check this address for a newer service worker. */
const WORKER = 'service-worker';
const WORKER_FILE = `${WORKER}.js`;
/** Placeholder in the worker's code for the files of the first load. */
const SHELL = '__SHELL__';
const BASE = '/app/';

/** Keeps schemas out: they are as large as half the first load, and only the server validates with them. */
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

/** Inserts the first screen's files into the service worker. Their names change its bytes, so browsers update it. */
function nameShell(): Plugin {
  return {
    name: 'name-shell',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle[WORKER_FILE];
      if (worker?.type !== 'chunk' || worker.imports.length > 0) this.error('the service worker is one file');
      const styles = Object.keys(bundle).filter((name) => /^assets\/app-[^/]*\.css$/.test(name));
      if (styles.length !== 1) this.error('the first load has one style sheet');
      const files = [...firstLoad(bundle), ...styles].toSorted().map((name) => BASE + name);
      const [before, after, ...more] = worker.code.split(SHELL);
      if (after === undefined || more.length > 0) this.error(`the service worker reads ${SHELL} once`);
      worker.code = before + JSON.stringify(files) + after;
    },
  };
}

/** The running Foyer behind the dev server, such as one started by `npm run demo`. */
const { FOYER_BASE_URL = 'http://localhost:3000' } = loadEnv('development', import.meta.dirname, 'FOYER_');
/** Paths below BASE that the dev server answers. Everything else there is a call to the server. */
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
  resolve: {
    // React has had this hook since 18; the package behind it looks for older ones.
    alias: [
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
      {
        find: /^use-sync-external-store\/shim\/with-selector$/,
        replacement: 'use-sync-external-store/with-selector',
      },
    ],
  },
  plugins: [react(), tailwindcss(), refuseSchemas(), gatherLoads(), nameShell(), weighFirstLoad()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // light-dark() is used as it is; without these the minifier rewrites it into something heavier.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    // Inlined files would be data: addresses, which the policy for fonts and scripts does not allow.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Once a service worker answers for the page, Chromium warns that it doesn't use this preload, of 700 bytes.
      // An idle desk fetches every screen with its parts. Naming the parts of each in the first load, to fetch them in
      // one round trip when a screen is opened before that, would cost a hundredth of it.
      resolveDependencies: (_file, parts, { hostType }) =>
        parts.filter((part) =>
          hostType === 'html' ? !part.includes('rolldown-runtime') : part.endsWith('.css'),
        ),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      optimization: { inlineConst: { mode: 'all' } },
      input: { index: 'index.html', [WORKER]: `worker/${WORKER}.ts` },
      output: {
        entryFileNames: ({ name }) => (name === WORKER ? WORKER_FILE : 'assets/[name]-[hash].js'),
      },
    },
  },
});
