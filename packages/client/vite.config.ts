import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** One file without dependencies, for programs outside of this repository. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  logLevel: 'warn',
  build: {
    // Node 20, and browsers of 2023.
    target: 'es2022',
    lib: {
      entry: fileURLToPath(new URL('src/index.ts', import.meta.url)),
      formats: ['es'],
      fileName: () => 'foyer-client.js',
    },
  },
});
