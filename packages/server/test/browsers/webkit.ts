import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import type { RunningBrowser } from './driven.ts';
import { endChild } from './end-child.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY_SERVER = '/usr/bin/Xvfb';
/** WebKitGTK's own small browser: Debian's package `libwebkit2gtk-4.1-0` has it. */
const BROWSERS = '/usr/lib{,exec}{,/*}/webkit2gtk-4.*/MiniBrowser';

/** The WebKit of this machine, if any. */
export const webkitProgram = [DRIVER, DISPLAY_SERVER].every(existsSync) ? globSync(BROWSERS)[0] : undefined;

/** Starts a display in memory. @returns its name */
async function startDisplay(): Promise<{ server: ChildProcess; name: string }> {
  const screen = ['-screen', '0', '1600x1200x24', '-nolisten', 'tcp'];
  const server = spawn(DISPLAY_SERVER, ['-displayfd', '3', ...screen], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(createInterface(server.stdio[3] as Readable), 'line');
  return { server, name: `:${number}` };
}

/** Sends a command over HTTP: https://www.w3.org/TR/webdriver2/#endpoints */
async function send<T>(method: string, url: string, body?: object): Promise<T> {
  const answer = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** Starts this machine's WebKit on a new display. */
export async function startWebKit(): Promise<RunningBrowser> {
  const display = await startDisplay();
  const port = await freePort();
  const driver = spawn(DRIVER, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display.name, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1' },
  });
  const url = `http://127.0.0.1:${port}`;
  await until(() =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const browser = { binary: webkitProgram, args: ['--automation'] };
  const { sessionId } = await send<{ sessionId: string }>('POST', `${url}/session`, {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } },
  });
  const session = `${url}/session/${sessionId}`;
  const post = <T>(path: string, body: object): Promise<T> => send('POST', `${session}/${path}`, body);
  return {
    commands: {
      navigate: (page) => post('url', { url: page }),
      resize: (width, height) => post('window/rect', { x: 0, y: 0, width, height }),
      execute: (script, args) => post('execute/sync', { script, args }),
      executeAsync: (script) => post('execute/async', { script, args: [] }),
      click: (id) => post(`element/${id}/click`, {}),
      sendKeys: (id, text) => post(`element/${id}/value`, { text }),
      textOf: (id) => send('GET', `${session}/element/${id}/text`),
      switchToFrame: (id) => post('frame', { id }),
      screenshot: () => send('GET', `${session}/screenshot`),
    },
    async close() {
      await send('DELETE', session);
      await endChild(driver);
      await endChild(display.server);
    },
  };
}
