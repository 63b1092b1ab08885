/**
 * What a visitor's and an agent's browser load, from the built `dist` folders (npm run build): uncompressed for the
 * SDK, whose limit is on the minified text, and with brotli as a good server sends it. Compared only with the limits,
 * because bytes don't depend on the machine.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type Figure, NONE } from './figures.ts';

const PACKAGES = join(import.meta.dirname, '..', 'packages');
/** The compressed versions that the build puts beside each file. */
const ENCODED = /\.(br|gz)$/;
/** Compressed as they are. */
const PACKED = /\.(woff2|png|webp|jpg)$/;

const sizeOf = (file: string): number => {
  const bytes = readFileSync(file);
  return PACKED.test(file) ? bytes.length : brotliCompressSync(bytes).length;
};

const sum = (files: readonly string[]): number => files.reduce((total, file) => total + sizeOf(file), 0);

function distOf(name: string): { folder: string; files: string[] } {
  const folder = join(PACKAGES, name, 'dist');
  if (!existsSync(folder)) throw new Error(`${name} is not built: npm run build`);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return {
    folder,
    files: entries
      .filter((entry) => entry.isFile() && !ENCODED.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  };
}

/** The page and the files that it names; fonts load after it has been drawn, and only if they are needed. */
function firstLoad({ folder, files }: ReturnType<typeof distOf>): string[] {
  const page = join(folder, 'index.html');
  const html = readFileSync(page, 'utf8');
  return [page, ...files.filter((file) => html.includes(file.slice(file.lastIndexOf('/') + 1)))];
}

const figure = (what: string, bytes: number, wanted: string): Figure => ({
  what,
  ours: `${bytes.toLocaleString('en')} B`,
  bare: NONE,
  ratio: NONE,
  wanted,
});

export async function weight(): Promise<Figure[]> {
  const [sdk, widget, dashboard] = ['sdk', 'widget', 'dashboard'].map(distOf);
  if (!sdk || !widget || !dashboard) throw new Error('not built');
  const [script, launcher] = ['visitor-sdk.js', 'launcher.js'].map((file) => join(sdk.folder, file));
  if (!script || !launcher) throw new Error('not built');
  return [
    figure('SDK, minified', readFileSync(script).length, '≤ 9,216 B'),
    figure('SDK, brotli', sizeOf(script), '≤ 3,584 B'),
    figure('launcher, brotli', sizeOf(launcher), NONE),
    figure('widget, first load, brotli', sum(firstLoad(widget)), NONE),
    figure(
      'widget with all that comes on demand, 14 languages, the settings’ preview, and SDK, brotli',
      sum(widget.files) + sizeOf(script) + sizeOf(launcher),
      NONE,
    ),
    figure('dashboard, its page and what that names, brotli', sum(firstLoad(dashboard)), NONE),
  ];
}
