#!/usr/bin/env node
// Plain JavaScript for any Node >= 20: Foyer itself needs the Node 24 that comes with its lockfile.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_NEEDED = 24;
const file = fileURLToPath(import.meta.url);
/** The bundle is whole once this file is there, which its build writes last. */
const BUILT = new URL('../dist/built', import.meta.url);
const SOURCES = ['../src/', '../../protocol/src/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
/** Compiled code, which loads faster. Who may not write there does without. `npm ci` empties it. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/foyer', import.meta.url));

const majorOf = (version) => Number(version.split('.')[0]);

/** When any of the sources was written, added or removed last, in milliseconds. */
const sourcesChangedAt = () =>
  Math.max(
    ...SOURCES.flatMap((folder) => [
      folder,
      ...readdirSync(folder, { recursive: true }).map((file) => join(folder, file)),
    ]).map((file) => statSync(file).mtimeMs),
  );

/** The bundle; the sources if they are newer, so that a change takes effect without a build. */
function findProgram() {
  const builtAt = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return builtAt > sourcesChangedAt() ? '../dist/cli/main.js' : '../src/cli/main.ts';
}

/** The Node that was installed with Foyer, looked up from this file, wherever the caller stands. */
function findNode() {
  const { resolve } = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const manifest = resolve(`node-${platform}-${process.arch}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    const node = join(dirname(manifest), 'bin', platform === 'win' ? 'node.exe' : 'node');
    return majorOf(version) >= NODE_NEEDED && existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

function runAgainWith(node) {
  // Over the channel the child hears of our end, however it comes.
  const child = spawn(node, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  // A terminal sends Ctrl-C to both of us; twice would mean "at once".
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('error', (error) => {
    console.error(`${node} does not run here (${error.message}): install Node ${NODE_NEEDED} or newer.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

if (majorOf(process.versions.node) >= NODE_NEEDED) {
  if (process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
    process.channel.unref();
  }
  module.enableCompileCache(COMPILED);
  const { runCommandLine } = await import(findProgram());
  await runCommandLine(process.argv.slice(2));
} else {
  const node = findNode();
  if (node) runAgainWith(node);
  else {
    console.error(
      `Foyer needs Node ${NODE_NEEDED}: this is Node ${process.versions.node}, and none was installed beside ${dirname(file)}. Run npm ci there, or install Node ${NODE_NEEDED}.`,
    );
    process.exitCode = 1;
  }
}
