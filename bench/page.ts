/**
 * What the snippet costs its page, in real Chromium with the CPU slowed four times: the longest task of the main thread
 * and how far the layout shifts, from the first byte until the chat is loaded and the page is idle; then the time from
 * a click on the launcher until the chat is drawn and ready for typing. Compared with the same page without the
 * snippet, and with a page whose own button shows an empty frame of another site.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import type { Browser, CDPSession, Frame, Page } from 'playwright-core';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { launchChromium } from '../packages/server/test/chromium.ts';
import { requireBuilt } from './built.ts';
import { type Figure, median, NONE } from './figures.ts';
import { withWorld } from './foyer.ts';
import { pageOn3g, shopFiles } from './page-3g.ts';

const SLOWER = 4;
const ROUNDS = 7;
/** The wait after the last load, so that late work is measured too. */
const QUIET_MS = 1_500;
/** The browser reports no shorter tasks. */
const LONG_TASK_MS = 50;

/** What the browser measured of the shop's page. */
interface Watched {
  tasks: { ms: number; by: string }[];
  /** The scripts of long animation frames, with their own duration. */
  scripts: { ms: number; url: string }[];
  shift: number;
}

const WATCH = `window.watched={tasks:[],scripts:[],shift:0};
new PerformanceObserver((list)=>{for(const one of list.getEntries())watched.tasks.push({ms:one.duration,by:one.name})}).observe({type:'longtask',buffered:true});
new PerformanceObserver((list)=>{for(const one of list.getEntries())for(const part of one.scripts)watched.scripts.push({ms:part.duration,url:part.sourceURL||part.invoker})}).observe({type:'long-animation-frame',buffered:true});
new PerformanceObserver((list)=>{for(const one of list.getEntries())watched.shift+=one.value}).observe({type:'layout-shift',buffered:true});`;

/** A page with content, so that there is a first paint and a layout to shift. */
const shopPage = (snippet: string): string =>
  `<!doctype html><title>Shop</title><script>${WATCH}</script>${snippet}<h1>A shop</h1>${'<p>Lamps and looms, and whatever else one needs.'.repeat(200)}`;

const snippetOf = (foyer: string, publicKey: string): string =>
  `<script>window.svc=window.svc||function(){(svc.q=svc.q||[]).push(arguments)}</script><script async src="${foyer}/assets/js/visitor-sdk.js" data-site="${publicKey}"></script>`;

const bareFrame = (address: string): string =>
  `<button id="own">Chat</button><iframe id="chat" src="${address}/frame" style="position:fixed;right:16px;bottom:88px;width:400px;height:640px;visibility:hidden"></iframe>
   <script>own.addEventListener('click',()=>{chat.style.visibility='visible';chat.contentWindow.postMessage({type:'opened'},'*')})</script>`;

const TYPES: Record<string, string> = { '.css': 'text/css', '.bmp': 'image/bmp' };

async function startShop() {
  const pages = new Map<string, string | Buffer>([['/frame', '<!doctype html><p>Chat<input>']]);
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const file = pages.get(path);
    const type = TYPES[extname(path)] ?? 'text/html';
    response.writeHead(file ? 200 : 404, { 'Content-Type': type }).end(file);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { pages, port, stop: () => server.close() };
}

const slow = async (session: CDPSession): Promise<void> => {
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
};

async function openSlowly(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await slow(await context.newCDPSession(page));
  await page.goto(url, { waitUntil: 'load' });
  return page;
}

/** Waits until the chat is drawn in its hidden frame, which ends the preload. */
async function loadedFrame(page: Page, selector: string): Promise<Frame> {
  for (;;) {
    const frame = page.frames()[1];
    const isThere = await frame?.evaluate(`!!document.querySelector('${selector}')`).catch(() => false);
    if (frame && isThere) return frame;
    await page.waitForTimeout(20);
  }
}

async function watchLoad(browser: Browser, url: string, selector?: string): Promise<Watched> {
  const page = await openSlowly(browser, url);
  if (selector) await loadedFrame(page, selector);
  await page.waitForTimeout(QUIET_MS);
  const seen = await page.evaluate<Watched>('watched');
  await page.context().close();
  return seen;
}

/** From the click's timestamp to the second animation frame after `opened`: the chat is drawn and accepts keys. */
async function clickToPanel(
  browser: Browser,
  url: string,
  button: string,
  selector: string,
): Promise<number> {
  const page = await openSlowly(browser, url);
  const frame = await loadedFrame(page, selector);
  // A frame of another site has its own process, which is throttled separately.
  await page
    .context()
    .newCDPSession(frame)
    .then(slow, () => undefined);
  await page.waitForTimeout(QUIET_MS);
  await page.evaluate(
    `addEventListener('click',(event)=>{window.clickedAt=performance.timeOrigin+event.timeStamp},{capture:true,once:true})`,
  );
  await frame.evaluate(`window.drawn=new Promise((resolve)=>addEventListener('message',({data})=>{
    if(data.type==='opened')requestAnimationFrame(()=>requestAnimationFrame(()=>resolve(performance.timeOrigin+performance.now())))}));0`);
  await page.locator(button).click();
  const drawnAt = await frame.evaluate<number>('drawn');
  const clickedAt = await page.evaluate<number>('clickedAt');
  await page.context().close();
  return drawnAt - clickedAt;
}

/** Without site isolation the chat's frame runs on the page's thread: its tasks are counted separately. */
const isOfFrame = (by: string): boolean => by.endsWith('descendant');

/** How many loads had a long task, and the median of their longest ones. */
function tasksSeen(loads: readonly Watched[], ofFrame: boolean): string {
  const longest = loads.map(({ tasks }) =>
    Math.max(0, ...tasks.filter(({ by }) => isOfFrame(by) === ofFrame).map(({ ms }) => ms)),
  );
  const long = longest.filter((ms) => ms > 0);
  if (long.length === 0) return `none over ${LONG_TASK_MS} ms`;
  return `in ${long.length} of ${loads.length}, ${Math.round(median(long))} ms`;
}

const longestOf = (origin: string, loads: readonly Watched[]): number =>
  Math.max(
    0,
    ...loads.flatMap(({ scripts }) => scripts.filter(({ url }) => url.includes(origin)).map(({ ms }) => ms)),
  );

export async function page(): Promise<Figure[]> {
  requireBuilt('sdk');
  requireBuilt('widget');
  return withWorld(async ({ foyer, database }) => {
    const { publicKey } = await createSite(database.db, { name: 'Shop', plan: 'growth' });
    const [shop, browser] = await Promise.all([startShop(), launchChromium()]);
    const at = (path: string): string => `http://localhost:${shop.port}${path}`;
    shop.pages.set('/bare', shopPage(''));
    shop.pages.set('/with', shopPage(snippetOf(foyer.url, publicKey)));
    const ours3g = { '/3g-bare': '', '/3g-with': snippetOf(foyer.url, publicKey) };
    for (const [path, file] of shopFiles(ours3g)) shop.pages.set(path, file);
    shop.pages.set('/frame-bare', shopPage(bareFrame(`http://127.0.0.1:${shop.port}`)));
    try {
      const bare: Watched[] = [];
      const ours: Watched[] = [];
      const clicks: number[] = [];
      const bareClicks: number[] = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const seen = [await watchLoad(browser, at('/bare')), await watchLoad(browser, at('/with'), '#app *')];
        const click = await clickToPanel(browser, at('/with'), 'button[aria-label="Open chat"]', '#app *');
        const bareClick = await clickToPanel(browser, at('/frame-bare'), '#own', 'input');
        // The first round warms the browser's caches.
        if (round === 0 || !seen[0] || !seen[1]) continue;
        bare.push(seen[0]);
        ours.push(seen[1]);
        clicks.push(click);
        bareClicks.push(bareClick);
      }
      const ratio = `${(median(clicks) / median(bareClicks)).toFixed(1)} ×`;
      return [
        {
          what: `page load at 1/${SLOWER} CPU, long tasks of the page in ${ROUNDS} loads`,
          ours: tasksSeen(ours, false),
          bare: tasksSeen(bare, false),
          ratio: NONE,
          wanted: `none over ${LONG_TASK_MS} ms from us`,
        },
        {
          what: '… of them the longest that one of our scripts ran in it',
          ours: `${Math.round(longestOf(foyer.url, ours))} ms`,
          bare: NONE,
          ratio: NONE,
          wanted: `≤ ${LONG_TASK_MS} ms`,
        },
        {
          what: '… of the chat’s frame, where it shares the page’s process',
          ours: tasksSeen(ours, true),
          bare: tasksSeen(bare, true),
          ratio: NONE,
          wanted: `none over ${LONG_TASK_MS} ms`,
        },
        {
          what: '… layout shift',
          ours: Math.max(...ours.map(({ shift }) => shift)).toFixed(3),
          bare: Math.max(...bare.map(({ shift }) => shift)).toFixed(3),
          ratio: NONE,
          wanted: '0',
        },
        {
          what: `click to a usable panel at 1/${SLOWER} CPU, median of ${ROUNDS}, slowest`,
          ours: `${Math.round(median(clicks))}, ${Math.round(Math.max(...clicks))} ms`,
          bare: `${Math.round(median(bareClicks))}, ${Math.round(Math.max(...bareClicks))} ms`,
          ratio,
          wanted: '< 300 ms',
        },
        ...(await pageOn3g(browser, { bare: at('/3g-bare'), ours: at('/3g-with') })),
      ];
    } finally {
      await browser.close();
      shop.stop();
    }
  });
}
