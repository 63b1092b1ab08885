/**
 * What the snippet costs a shop's page over 3G: when its first and its largest content is painted, and how many bytes
 * are loaded in total, with the chat preloaded. Compared with the same page without the snippet. The picture, the
 * page's largest content, shares the connection with Foyer's scripts.
 */
import type { Browser, Page } from 'playwright-core';
import { type Figure, median, NONE } from './figures.ts';

/** As WebPageTest defines it: latency in ms, bytes per second. */
const THREE_G = {
  offline: false,
  latency: 300,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 768_000 / 8,
};
const ROUNDS = 5;
/** The wait after the last load, so that late ones count too. */
const QUIET_MS = 2_000;

interface Loaded {
  firstPaint: number;
  largestPaint: number;
  bytes: number;
  /** After navigation, in ms; undefined without the snippet. */
  launcher?: number;
  chat?: number;
}

const WATCH = `window.paints={};
new PerformanceObserver((list)=>{for(const one of list.getEntries())if(one.name==='first-contentful-paint')paints.first=one.startTime}).observe({type:'paint',buffered:true});
new PerformanceObserver((list)=>{paints.largest=list.getEntries().at(-1).startTime}).observe({type:'largest-contentful-paint',buffered:true});`;

const PICTURE_PX = { width: 240, height: 200 };

/** 144 KB of noise, as incompressible as a photograph. */
function bitmap(): Buffer {
  const { width, height } = PICTURE_PX;
  const file = Buffer.alloc(54 + width * height * 3);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  let noise = 1;
  for (let at = 54; at < file.length; at++) {
    noise = (noise * 48_271) % 2_147_483_647;
    file[at] = noise;
  }
  return file;
}

/** The files of a page with a style sheet and a picture, by path. */
export const shopFiles = (snippets: Record<string, string>): [string, string | Buffer][] => [
  ['/shop.css', `h1{color:teal}${'p{margin:1em 0;line-height:1.5;color:#333}'.repeat(500)}`],
  ['/lamp.bmp', bitmap()],
  ...Object.entries(snippets).map(([path, snippet]): [string, string] => [
    path,
    `<!doctype html><title>Shop</title><link rel="stylesheet" href="/shop.css"><script>${WATCH}</script>${snippet}<h1>A shop</h1><img src="/lamp.bmp" width="${PICTURE_PX.width * 3}" height="${PICTURE_PX.height * 3}" alt="A lamp">${'<p>Lamps and looms, and whatever else one needs.'.repeat(100)}`,
  ]),
];

const now = (page: Page): Promise<number> => page.evaluate('performance.now()');

async function load(browser: Browser, url: string, hasChat: boolean): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', THREE_G);
  await page.goto(url, { waitUntil: 'commit' });
  const chat: Pick<Loaded, 'launcher' | 'chat'> = {};
  if (hasChat) {
    await page.locator('button[aria-label="Open chat"]').waitFor();
    chat.launcher = await now(page);
    await page.frameLocator('iframe[src*="/widget/"]').locator('#app .panel').waitFor({ state: 'attached' });
    chat.chat = await now(page);
  }
  await page.waitForLoadState('load');
  await page.waitForTimeout(QUIET_MS);
  const { first, largest } = await page.evaluate<{ first: number; largest: number }>('paints');
  await context.close();
  return { firstPaint: first, largestPaint: largest, bytes, ...chat };
}

/** @param urls the same page without and with the snippet */
export async function pageOn3g(browser: Browser, urls: { bare: string; ours: string }): Promise<Figure[]> {
  const seen: { ours: Loaded; bare: Loaded }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const bare = await load(browser, urls.bare, false);
    const ours = await load(browser, urls.ours, true);
    // The first round fills the server's caches.
    if (round > 0) seen.push({ ours, bare });
  }
  const compared = (what: string, of: (page: Loaded) => number, unit: string, wanted: string): Figure => {
    const [ours, bare] = [median(seen.map((one) => of(one.ours))), median(seen.map((one) => of(one.bare)))];
    const said = (value: number): string => `${Math.round(value).toLocaleString('en')} ${unit}`;
    return { what, ours: said(ours), bare: said(bare), ratio: `${(ours / bare).toFixed(2)} ×`, wanted };
  };
  const after = (of: (page: Loaded) => number | undefined): string =>
    `${Math.round(median(seen.map(({ ours }) => of(ours) ?? Number.NaN))).toLocaleString('en')} ms`;
  return [
    compared('page over 3G: first content painted', ({ firstPaint }) => firstPaint, 'ms', '≤ 1.05 ×'),
    compared('… largest content painted', ({ largestPaint }) => largestPaint, 'ms', NONE),
    compared('… bytes in all, chat preloaded', ({ bytes }) => bytes, 'B', NONE),
    {
      what: '… launcher on the screen; chat drawn in its hidden frame',
      ours: `${after(({ launcher }) => launcher)}; ${after(({ chat }) => chat)}`,
      bare: NONE,
      ratio: NONE,
      wanted: NONE,
    },
  ];
}
