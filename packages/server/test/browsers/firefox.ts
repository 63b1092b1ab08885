import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../foyer-process.ts';
import { scratchFolder } from '../scratch.ts';
import { ELEMENT, type RunningBrowser } from './driven.ts';
import { endChild } from './end-child.ts';

/** The Firefox of this machine, if any. */
export const firefoxProgram = ['/usr/bin/firefox', '/usr/bin/firefox-esr'].find((path) => existsSync(path));

/** No welcome pages, and no requests of its own to other servers. */
const SETTINGS = {
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
};

/** Connects once Firefox listens; the test's own time limit ends it. */
async function connectTo(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isOpen) return socket;
    await delay(100);
  }
}

/**
 * Marionette, which geckodriver speaks too: each message is `LENGTH:JSON`, a command `[0, id, name, parameters]` and its
 * response `[1, id, error, result]`. https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
function marionetteOver(socket: Socket) {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let received = Buffer.alloc(0);
  let nextId = 1;
  const take = (message: unknown): void => {
    // The first one is a greeting.
    if (!Array.isArray(message)) return;
    const [, id, error, result] = message;
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new Error(`${error.error}: ${error.message}`));
    else asked?.resolve(result);
  };
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (;;) {
      const colon = received.indexOf(':');
      const length = Number(received.subarray(0, Math.max(colon, 0)));
      if (colon < 0 || received.length < colon + 1 + length) return;
      const end = colon + 1 + length;
      take(JSON.parse(received.subarray(colon + 1, end).toString()));
      received = received.subarray(end);
    }
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has ended'));
  });
  return <T>(name: string, parameters: object = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      const json = JSON.stringify([0, id, name, parameters]);
      socket.write(`${Buffer.byteLength(json)}:${json}`);
    });
}

/** Starts this machine's Firefox without a window, with a new profile. */
export async function startFirefox(): Promise<RunningBrowser> {
  const profile = await scratchFolder('foyer-firefox-');
  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, 'marionette.port': port });
  const lines = settings.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`);
  await writeFile(join(profile, 'user.js'), lines.join(''));
  const child = spawn(
    firefoxProgram ?? 'firefox',
    ['--marionette', '--headless', '--no-remote', '--profile', profile],
    { stdio: 'ignore', env: { ...process.env, HOME: profile } },
  );
  const socket = await connectTo(port);
  const ask = marionetteOver(socket);
  await ask('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
  const read = async <T>(name: string, parameters?: object): Promise<T> =>
    (await ask<{ value: T }>(name, parameters)).value;
  return {
    commands: {
      navigate: (url) => ask('WebDriver:Navigate', { url }),
      resize: (width, height) => ask('WebDriver:SetWindowRect', { x: 0, y: 0, width, height }),
      execute: (script, args) => read('WebDriver:ExecuteScript', { script, args }),
      executeAsync: (script) => read('WebDriver:ExecuteAsyncScript', { script, args: [] }),
      click: (id) => ask('WebDriver:ElementClick', { id }),
      sendKeys: (id, text) => ask('WebDriver:ElementSendKeys', { id, text }),
      textOf: (id) => read('WebDriver:GetElementText', { id }),
      switchToFrame: (frame) =>
        ask('WebDriver:SwitchToFrame', frame ? { element: frame[ELEMENT] } : { id: null }),
      screenshot: () => read('WebDriver:TakeScreenshot', { full: false, hash: false }),
    },
    async close() {
      socket.destroy();
      await endChild(child);
    },
  };
}
