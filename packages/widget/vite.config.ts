import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { LANGUAGES } from '@foyer/protocol/values/languages';
import { type BuildEnvironmentOptions, build, defineConfig, type Plugin } from 'vite';
import { BUBBLE_KEYS, LAUNCHER_KEYS } from './src/launcher-words.ts';

/** What a page's first chat loads, SDK included, brotli; everything else is loaded when it is used. */
const FIRST_LOAD_MAX_BYTES = 36 * 1024;
const PAGE = fileURLToPath(new URL('index.html', import.meta.url));
/** The same widget in the dashboard's settings. */
const PREVIEW = fileURLToPath(new URL('preview.html', import.meta.url));
/** Built before; missing when the widget is built alone. */
const SDK = ['visitor-sdk.js', 'launcher.js']
  .map((name) => fileURLToPath(new URL(`../sdk/dist/${name}`, import.meta.url)))
  .filter((path) => existsSync(path));

/** Fonts are compressed already, and are sent as they are. */
const weigh = (name: string, content: string | Uint8Array): number =>
  name.endsWith('.woff2') ? content.length : brotliCompressSync(content).length;

const refuseTooLarge: Plugin = {
  name: 'refuse-too-large',
  writeBundle(_options, bundle) {
    const all = Object.values(bundle);
    const chunks = all.filter((file) => file.type === 'chunk');
    const needed = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
    // A set grows while it is walked: what a chunk imports at once is loaded at once.
    for (const name of needed)
      for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) needed.add(next);
    const files = all.map((file) => {
      const isChunk = file.type === 'chunk';
      const bytes = weigh(file.fileName, isChunk ? file.code : file.source);
      const isWords = isChunk && file.facadeModuleId?.includes('/languages/home/') === true;
      return {
        name: file.fileName,
        bytes,
        isWords,
        // A script that is no chunk is a worker, which its chunk starts.
        isFirst: isChunk ? needed.has(file.fileName) : !file.fileName.endsWith('.js'),
      };
    });
    const first = files.filter(({ isFirst }) => isFirst);
    // One language is loaded too: the longest counts.
    const words = Math.max(...files.map(({ bytes, isWords }) => (isWords ? bytes : 0)));
    const sdk = SDK.reduce((sum, path) => sum + weigh(path, readFileSync(path)), 0);
    const total = first.reduce((sum, { bytes }) => sum + bytes, words + sdk);
    const list = [...first.map(({ name, bytes }) => `${name} ${bytes}`), `words ${words}`, `SDK ${sdk}`];

    if (total > FIRST_LOAD_MAX_BYTES)
      throw new Error(
        `the first chat loads ${total} bytes (brotli), more than the ${FIRST_LOAD_MAX_BYTES} allowed: ${list.join(', ')}`,
      );
    console.log(`widget's first load with the SDK: ${total} of ${FIRST_LOAD_MAX_BYTES} bytes (brotli)`);
  },
};

/**
 * Parts on demand bring their style within them (style/adopt.ts), so there is nothing to fetch beside a part. Browsers
 * remember an import that failed, as one does while the line is cut: the next one asks under another address.
 */
const LOAD = `export const __vitePreload = (load) => load().catch((error) => {
  const address = /https?:\\S+/.exec(error.message);
  if (!address) throw error;
  return import(/* @vite-ignore */ address[0] + '?' + Date.now());
});`;

const loadPlainly: Plugin = {
  name: 'load-plainly',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => LOAD,
  },
};

/**
 * Puts what the page loads at once into one file: left to itself the bundler splits it in two, which compress worse
 * and of which the browser learns one after the other.
 */
const gatherFirstLoad = (): Plugin => {
  const first = new Set<string>();
  return {
    name: 'gather-first-load',
    buildEnd() {
      const gather = (id: string): void => {
        if (first.has(id)) return;
        first.add(id);
        for (const each of this.getModuleInfo(id)?.importedIds ?? []) gather(each);
      };
      for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) gather(id);
    },
    outputOptions: (options) => ({
      ...options,
      codeSplitting: { groups: [{ name: (id) => (first.has(id) ? 'first' : null), debugName: 'first' }] },
    }),
  };
};

const wordsOf = async (view: 'home' | 'places', keys: readonly string[]) => {
  const tables = LANGUAGES.map(async (language) => {
    const table = new URL(`src/languages/${view}/${language}.ts`, import.meta.url);
    const { words } = await import(table.href);
    return [language, Object.fromEntries(keys.map((key) => [key, words[key]]))] as const;
  });
  return JSON.stringify(Object.fromEntries(await Promise.all(tables)));
};

/**
 * The words that the server sends to the launcher and the bubble, which have no words of their own: taken from the
 * tables, so that they exist only once.
 */
const launcherWords: Plugin = {
  name: 'launcher-words',
  async writeBundle({ dir = '' }) {
    writeFileSync(join(dir, 'launcher-words.json'), await wordsOf('home', LAUNCHER_KEYS));
    writeFileSync(join(dir, 'bubble-words.json'), await wordsOf('places', BUBBLE_KEYS));
  },
};

const shared = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/widget/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
} as const;

const buildOf = (input: string): BuildEnvironmentOptions => ({
  target: 'es2022',
  modulePreload: false,
  assetsInlineLimit: 0,
  // The protocol's bounds are inlined where they are used: shared, they would be another chunk to load.
  rolldownOptions: {
    input,
    optimization: { inlineConst: { mode: 'all' } },
    // The first load names two dozen parts, and hashes don't compress.
    output: { chunkFileNames: 'assets/[name]-[hash:6].js' },
  },
});

/** A build of its own: files that two pages share would be in more parts, and the chat's page would weigh more. */
const previewToo: Plugin = {
  name: 'preview-too',
  async closeBundle() {
    await build({
      ...shared,
      configFile: false,
      build: { ...buildOf(PREVIEW), emptyOutDir: false },
      plugins: [loadPlainly, gatherFirstLoad()],
    });
  },
};

export default defineConfig({
  ...shared,
  build: buildOf(PAGE),
  plugins: [loadPlainly, gatherFirstLoad(), launcherWords, refuseTooLarge, previewToo],
});
