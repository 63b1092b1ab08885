import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build, defineConfig, type Plugin } from 'vite';

/** Byte budgets, minified and compressed, close to what the files weigh. The contract allows the SDK 9,216 bytes. */
const LIMITS = {
  'visitor-sdk.js': { bytes: 6500, brotli: 3072 },
  'launcher.js': { bytes: 6784, brotli: 3136 },
  'live.js': { bytes: 1216, brotli: 672 },
  'proactive.js': { bytes: 14_000, brotli: 5_600 },
  'rest.js': { bytes: 512, brotli: 300 },
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

/** Further builds beside the first: a classic script has no imports, so they share nothing. */
const moduleToo = (
  name: 'launcher' | 'live' | 'proactive' | 'rest' | 'loader',
  into: string,
  plugins: Plugin[],
): Plugin => ({
  name: `${name}-too`,
  async closeBundle() {
    const { outDir } = this.environment.config.build;
    await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      build: {
        target: 'es2022',
        outDir: join(outDir, into),
        emptyOutDir: false,
        lib: { entry: join(folder, `src/${name}.ts`), formats: ['es'], fileName: () => `${name}.js` },
        // For browsers as it is, where a library's build leaves spaces for bundlers that come after it.
        rolldownOptions: { output: { minify: name !== 'loader' } },
      },
      plugins,
    });
  },
});

/** The types of the npm package: those of the loader, which imports nothing. */
const typesToo: Plugin = {
  name: 'types-too',
  writeBundle({ dir = '' }) {
    const tsc = join(folder, '../../node_modules/typescript/bin/tsc');
    const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
    const args = [join(folder, 'src/loader.ts'), '--ignoreConfig', '--declaration', '--emitDeclarationOnly'];
    execFileSync(process.execPath, [tsc, ...args, '--outDir', dir, ...target], { stdio: 'inherit' });
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
    // Constants of other modules compress better as values than as names.
    rolldownOptions: { optimization: { inlineConst: { mode: 'all' } } },
  },
  plugins: [
    weigh('visitor-sdk.js'),
    moduleToo('launcher', '', [weigh('launcher.js')]),
    moduleToo('live', '', [weigh('live.js')]),
    moduleToo('proactive', '', [weigh('proactive.js')]),
    moduleToo('rest', '', [weigh('rest.js')]),
    moduleToo('loader', 'npm', [typesToo]),
  ],
});
