import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

interface Executable {
  path: string;
  env: Record<string, string>;
}

/**
 * A real Chromium: `FOYER_TEST_CHROMIUM` if set, else the system's, else the one that `@sparticuz/chromium` carries.
 * Runs in its sandbox except for root, for whom Chromium has none. If the system has no user namespaces for ordinary
 * users, `FOYER_TEST_NO_SANDBOX=true` turns the sandbox off.
 * `FOYER_TEST_VISIBLE=true` shows the window; that needs a display and the system's browser.
 * @throws with a line that says what is missing if none of them starts.
 */
export const launchChromium = async (): Promise<Browser> => {
  const { path, env } = await findExecutable();
  const isRoot = process.getuid?.() === 0;
  const sandboxed = !isRoot && process.env.FOYER_TEST_NO_SANDBOX !== 'true';
  try {
    return await chromium.launch({
      executablePath: path,
      chromiumSandbox: sandboxed,
      headless: process.env.FOYER_TEST_VISIBLE !== 'true',
      // Playwright forbids shared memory by default.
      ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
      args: ['--disable-gpu'],
      env: { ...definedEnvironment(), ...env },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint =
      sandboxed && /sandbox|namespace/i.test(reason)
        ? ' Its sandbox needs user namespaces; set FOYER_TEST_NO_SANDBOX=true where there are none.'
        : '';
    throw new Error(`Chromium (${path}) did not start.${hint} ${reason}`, { cause: error });
  }
};

/** The shared memory that all pages of a test file may use at once. */
const SHARED_MEMORY_MIN_BYTES = 1024 ** 3;

/**
 * Containers often have a /dev/shm of 64 MB, on which larger pages crash. With files instead, the kernel spends a tenth
 * of a page's time on creating and removing them.
 */
const hasSharedMemory = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= SHARED_MEMORY_MIN_BYTES;
  } catch {
    return false;
  }
};

export interface TestBrowser {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A page in its own context. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  contexts(): BrowserContext[];
  /** Closes its contexts. Chromium keeps running for the next file, and ends with this process. */
  close(): Promise<void>;
}

let shared: Promise<Browser> | undefined;

/** The Chromium of this process: a new one if there is none yet, or if it has crashed. */
const sharedChromium = async (): Promise<Browser> => {
  const running = await shared?.catch(() => undefined);
  if (running?.isConnected()) return running;
  shared = launchChromium();
  return shared;
};

/**
 * The contexts of one test file in the Chromium of this process: starting one for each file takes a second or two.
 * @param fetchesAhead whether its pages run service workers and preload the desk's other screens, as in production:
 *   that uses more CPU than loading a page of the desk, and few tests last long enough for it
 */
export const openBrowser = async ({ fetchesAhead = false } = {}): Promise<TestBrowser> => {
  const browser = await sharedChromium();
  const own = new Set<BrowserContext>();
  const newContext = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext(
      fetchesAhead ? options : { serviceWorkers: 'block', ...options },
    );
    // Only to end a hang: Playwright's default of half a minute is too short on a busy machine.
    context.setDefaultTimeout(90_000);
    own.add(context);
    context.once('close', () => own.delete(context));
    if (!fetchesAhead) await context.addInitScript(SAVE_DATA);
    return context;
  };
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    contexts: () => [...own],
    close: async () => void (await Promise.all([...own].map((context) => context.close()))),
  };
};

const SAVE_DATA = `Object.defineProperty(self.NetworkInformation?.prototype ?? {}, 'saveData', { get: () => true })`;

const findExecutable = async (): Promise<Executable> => {
  const chosen = process.env.FOYER_TEST_CHROMIUM;
  if (chosen !== undefined) {
    if (!existsSync(chosen)) throw new Error(`FOYER_TEST_CHROMIUM names ${chosen}, which does not exist.`);
    return { path: chosen, env: {} };
  }
  const system = SYSTEM_BROWSERS.find((path) => existsSync(path));
  return system === undefined ? unpackCarried() : { path: system, env: {} };
};

/**
 * Unpacks into a folder of this user and this version, each part under a unique name first, so that test files that
 * start at the same moment never run a half-written browser.
 */
const unpackCarried = async (): Promise<Executable> => {
  const bin = carriedFolder();
  const home = join(tmpdir(), `foyer-chromium-${process.getuid?.() ?? 'user'}-${carriedVersion()}`);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, 'chromium');
  await once(path, (draft) => unbrotli(join(bin, 'chromium.br'), draft, 0o700));

  const env: Record<string, string> = {};
  if (!existsSync('/etc/fonts')) {
    const fonts = join(home, 'fonts');
    await once(fonts, (draft) => untar(join(bin, 'fonts.tar.br'), draft));
    // The bundled configuration names other folders.
    env.FONTCONFIG_FILE = join(home, 'fonts.conf');
    writeFileSync(
      env.FONTCONFIG_FILE,
      `<fontconfig><dir>${fonts}</dir><cachedir>${join(home, 'fonts-cache')}</cachedir></fontconfig>`,
    );
  }
  if (missingLibraries(path, {}).length > 0) {
    const carried = join(home, 'al2023');
    await once(carried, (draft) => untar(join(bin, 'al2023.tar.br'), draft));
    const inherited = process.env.LD_LIBRARY_PATH;
    env.LD_LIBRARY_PATH = [join(carried, 'lib'), ...(inherited ? [inherited] : [])].join(':');
    const missing = missingLibraries(path, env);
    if (missing.length > 0) {
      throw new Error(
        `The tests' Chromium lacks system libraries: ${missing.join(', ')}. ` +
          'Install Chromium (Debian: apt-get install chromium) or set FOYER_TEST_CHROMIUM to one.',
      );
    }
  }
  return { path, env };
};

const carriedFolder = (): string => {
  const bin = join(carriedRoot(), 'bin');
  if (!existsSync(join(bin, 'chromium.br'))) {
    throw new Error(
      `No Chromium found: none of ${SYSTEM_BROWSERS.join(', ')}, and @sparticuz/chromium has no browser for ` +
        `${process.platform} ${process.arch}. Set FOYER_TEST_CHROMIUM to one.`,
    );
  }
  return bin;
};

const carriedRoot = (): string => {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  } catch (error) {
    throw new Error('No Chromium found, and @sparticuz/chromium is not installed: run npm ci.', {
      cause: error,
    });
  }
};

const carriedVersion = (): string => {
  const manifest: { version: string } = createRequire(import.meta.url)(join(carriedRoot(), 'package.json'));
  return manifest.version;
};

const once = async (target: string, make: (draft: string) => Promise<void>): Promise<void> => {
  if (existsSync(target)) return;
  const draft = `${target}.${process.pid}.${Date.now()}`;
  await make(draft);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process was faster: its folder is just as good.
    if (!existsSync(target)) throw error;
  }
};

const unbrotli = (archive: string, target: string, mode: number): Promise<void> =>
  pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(target, { mode }));

const untar = async (archive: string, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const tar = `${folder}.tar`;
  try {
    await unbrotli(archive, tar, 0o600);
    execFileSync('tar', ['-xf', tar, '-C', folder]);
  } finally {
    rmSync(tar, { force: true });
  }
};

const missingLibraries = (path: string, env: Record<string, string>): string[] => {
  if (process.platform !== 'linux') return [];
  try {
    const listing = execFileSync('ldd', [path], {
      encoding: 'utf8',
      env: { ...definedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return [...listing.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1] ?? '');
  } catch {
    // Without ldd, the launch itself says what is missing.
    return [];
  }
};

const definedEnvironment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])));

/** Waits two frames: then a caret or focus that the page moves in its next frame has arrived. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
