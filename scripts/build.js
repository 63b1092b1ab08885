// Builds what browsers load (SDK, widget, dashboard), the client as one file, and the server's bundle. Plain JavaScript
// for whatever Node runs it (>= 20); the builds themselves run on the Node 24 of the lockfile.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');
const PACKAGES = ['client', 'sdk', 'widget', 'dashboard', 'server'];

const folderOf = (name) => join(ROOT, 'packages', name);
const distOf = (name) => join(folderOf(name), 'dist');

const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => !file.endsWith('.map'))
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);

const fail = (text) => {
  console.error(text);
  process.exit(1);
};

/** Quiet unless it fails; a build's own lines with sizes are passed on. */
const build = (name, vite) => {
  const carried = join(BIN, process.platform === 'win32' ? 'node.exe' : 'node');
  const { status, stdout, stderr, error } = spawnSync(
    existsSync(carried) ? carried : process.execPath,
    [vite, 'build'],
    {
      cwd: folderOf(name),
      encoding: 'utf8',
      env: { ...process.env, PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}` },
    },
  );
  if (status !== 0)
    fail(`The build of ${name} failed.\n${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
  const own = stdout.split('\n').filter((line) => /\d bytes/.test(line));
  console.log(
    own.map((line) => line.trim()).join('\n') || `${name}: ${Math.round(sizeOf(distOf(name)) / 1024)} KiB`,
  );
};

/** Beside each file with a hash in its name, for the server to send as they are: the best compression takes seconds. */
const compressAssets = (folder) =>
  Promise.all(
    readdirSync(folder)
      .filter((file) => /\.(js|css|svg|json)$/.test(file))
      .map(async (file) => {
        const content = readFileSync(join(folder, file));
        writeFileSync(join(folder, `${file}.br`), await promisify(brotliCompress)(content));
        writeFileSync(join(folder, `${file}.gz`), await promisify(gzip)(content, { level: 9 }));
      }),
  );

const packages = PACKAGES.filter((name) => existsSync(join(folderOf(name), 'vite.config.ts')));
const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
if (!existsSync(vite)) {
  // The server also runs from its sources.
  const missing = packages.filter((name) => name !== 'server' && !existsSync(distOf(name)));
  if (missing.length > 0) {
    fail(
      `Vite is not installed and ${missing.join(', ')} never built: run npm ci with development packages.`,
    );
  }
  console.log('Vite is not installed: what was built before is used.');
  process.exit(0);
}
for (const name of packages) build(name, vite);
for (const name of ['widget', 'dashboard']) await compressAssets(join(distOf(name), 'assets'));
// Written last: bin/foyer.js runs the bundle only if it is whole.
writeFileSync(join(distOf('server'), 'built'), '');
