import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, defineConfig, type Plugin } from 'vite';

/** What each file may weigh, minified and compressed; the SDK's first figure is its contract's (decisions 6). */
const LIMITS = {
  'visitor-sdk.js': { bytes: 9216, brotli: 3584 },
  'launcher.js': { bytes: 6144, brotli: 2560 },
};

const folder = fileURLToPath(new URL('.', import.meta.url));

const weigh = (file: keyof typeof LIMITS): Plugin => ({
  name: 'weigh',
  writeBundle({ dir = '' }) {
    const code = readFileSync(join(dir, file));
    const [limit, brotli] = [LIMITS[file], brotliCompressSync(code).length];
    const said = `${file}: ${code.length} of ${limit.bytes} bytes, ${brotli} of ${limit.brotli} with brotli`;
    if (code.length > limit.bytes || brotli > limit.brotli) throw new Error(`too large: ${said}`);
    console.log(said);
  },
});

/** A build of its own, since a classic script has no imports that a bundler could share. */
const launcherToo: Plugin = {
  name: 'launcher-too',
  async closeBundle() {
    const { outDir } = this.environment.config.build;
    await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      build: {
        target: 'es2022',
        outDir,
        emptyOutDir: false,
        lib: { entry: join(folder, 'src/launcher.ts'), formats: ['es'], fileName: () => 'launcher.js' },
        // A module for browsers, where a library's build leaves spaces for bundlers that come after it.
        rolldownOptions: { output: { minify: true } },
      },
      plugins: [weigh('launcher.js')],
    });
  },
};

export default defineConfig({
  root: folder,
  logLevel: 'warn',
  build: {
    target: 'es2022',
    lib: {
      entry: join(folder, 'src/visitor-sdk.ts'),
      formats: ['iife'],
      name: 'foyer',
      fileName: () => 'visitor-sdk.js',
    },
  },
  plugins: [weigh('visitor-sdk.js'), launcherToo],
});
