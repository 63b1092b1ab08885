import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Everything that a first chat loads, brotli (issue "Speed and weight"). */
const WIDGET_MAX_BYTES = 45 * 1024;
const OUTPUT = fileURLToPath(new URL('dist', import.meta.url));

const refuseTooLarge: Plugin = {
  name: 'refuse-too-large',
  closeBundle() {
    let total = 0;
    for (const entry of readdirSync(OUTPUT, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      // Fonts are compressed already, and are sent as they are.
      total += entry.name.endsWith('.woff2') ? bytes.length : brotliCompressSync(bytes).length;
    }
    if (total > WIDGET_MAX_BYTES) {
      throw new Error(`the widget has ${total} bytes (brotli), more than the ${WIDGET_MAX_BYTES} allowed`);
    }
    console.log(`widget: ${total} of ${WIDGET_MAX_BYTES} bytes (brotli)`);
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/widget/',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  plugins: [refuseTooLarge],
});
