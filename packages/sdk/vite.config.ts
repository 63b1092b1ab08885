import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

/** The contract of the script tag (decisions 6): minified, not compressed. */
const SDK_MAX_BYTES = 9216;

const refuseTooLarge: Plugin = {
  name: 'refuse-too-large',
  writeBundle({ dir }) {
    const bytes = statSync(join(dir ?? '', 'visitor-sdk.js')).size;
    if (bytes > SDK_MAX_BYTES) {
      throw new Error(`visitor-sdk.js has ${bytes} bytes, more than the ${SDK_MAX_BYTES} allowed`);
    }
    console.log(`visitor-sdk.js: ${bytes} of ${SDK_MAX_BYTES} bytes`);
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'warn',
  build: {
    target: 'es2022',
    lib: {
      entry: fileURLToPath(new URL('src/visitor-sdk.ts', import.meta.url)),
      formats: ['iife'],
      name: 'foyer',
      fileName: () => 'visitor-sdk.js',
    },
  },
  plugins: [refuseTooLarge],
});
