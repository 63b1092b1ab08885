/**
 * How smoothly the desk's list of 10,000 conversations scrolls on a CPU slowed four times, compared with the simplest
 * possible list of as many rows: frames that the machine misses there it can't draw with Foyer either.
 */
import type { Page } from 'playwright-core';
import { type Figure, median } from './figures.ts';
import { slowDown, threadTimes } from './trace.ts';

const SLOWED = 4;
/** Of a mouse wheel: a hand turns it by twenty notches a second, a free-spinning wheel by sixty. */
const SPEEDS = [
  { notches: 20, stepPx: 40 },
  { notches: 60, stepPx: 120 },
];
const ROUNDS = 8;
const ROUND_MS = 3_000;
const TRACED_MS = 1_500;
/** At 60 frames a second, a missed frame takes the time of two. */
const MISSED_MS = 25;

const ROW_PX = 81;
const AHEAD = 6;

/** Absolutely positioned rows with three lines of text, only those in or near view, without a framework or state. */
const barePage = (rows: number): string => `<!doctype html><title>Bare</title><style>
* { margin: 0; box-sizing: border-box } body { font: 14px/20px sans-serif }
#box { width: 344px; height: 760px; overflow-y: auto; background: #fff }
ul { position: relative; height: ${rows * ROW_PX}px; padding: 0; list-style: none }
li { position: absolute; left: 0; right: 0; height: ${ROW_PX}px; padding: 10px 16px; border-bottom: 1px solid #ddd; contain: strict }
p { overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
</style><div id="box"><ul></ul></div><script>
const box = document.getElementById('box'), list = box.firstChild, drawn = new Map();
function draw() {
  const first = Math.max(0, Math.floor(box.scrollTop / ${ROW_PX}) - ${AHEAD});
  const end = Math.min(${rows}, first + Math.ceil(box.clientHeight / ${ROW_PX}) + ${2 * AHEAD});
  for (const [at, row] of drawn) if (at < first || at >= end) { row.remove(); drawn.delete(at); }
  for (let at = first; at < end; at++) {
    if (drawn.has(at)) continue;
    const row = document.createElement('li');
    row.style.top = at * ${ROW_PX} + 'px';
    row.innerHTML = '<p><b>Visitor ' + at + '</b> 3 h</p><p>Where is my order ' + at + '? It was promised for Thursday</p><p>With the bot</p>';
    list.append(row);
    drawn.set(at, row);
  }
}
box.addEventListener('scroll', draw);
draw();
</script>`;

/** The duration of each frame in which the list moved; at either end the direction turns. */
const scrollOn = (box: string, stepPx: number, ms: number): string => `(async () => {
  const box = ${box};
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const until = performance.now() + ${ms};
  const times = [];
  let step = (window.way ??= 1) * ${stepPx};
  for (let last = await frame(); performance.now() < until; ) {
    const from = box.scrollTop;
    box.scrollTop = from + step;
    const now = await frame();
    if (box.scrollTop !== from) times.push(now - last);
    else if (from === 0 || box.firstElementChild.lastElementChild.getAttribute('aria-setsize') !== '-1') { window.way = -window.way; step = -step; }
    last = now;
  }
  return times;
})()`;

interface Scrolled {
  times: number[];
  /** Per frame, on the slowed CPU. */
  scriptMs: number;
  drawingMs: number;
}

async function scroll(page: Page, box: string, stepPx: number): Promise<Scrolled> {
  await page.bringToFront();
  // A throttled page uses the machine's CPU even while it is in the background.
  const slowed = await slowDown(page, SLOWED);
  const on = (ms: number): Promise<number[]> => page.evaluate(scrollOn(box, stepPx, ms));
  const times = await on(ROUND_MS);
  // Traced separately: tracing slows the throttled page further.
  let traced = 0;
  const { script, drawing } = await threadTimes(page, async () => {
    traced = (await on(TRACED_MS)).length;
  });
  await slowed.detach();
  if (times.length === 0 || traced === 0) throw new Error('the list did not move');
  return { times, scriptMs: script / traced, drawingMs: drawing / traced };
}

const missed = (rounds: readonly Scrolled[]): string => {
  const times = rounds.flatMap((round) => round.times);
  const late = times.filter((time) => time > MISSED_MS);
  const share = ((late.length / times.length) * 100).toFixed(1);
  return `${share} % of ${times.length.toLocaleString('en')}, longest ${Math.round(Math.max(...times))} ms`;
};

/** @param page shows the list, with its first rows loaded; it loads on while it is scrolled */
export async function scrollList(page: Page, rows: number): Promise<Figure[]> {
  const bare = await page.context().newPage();
  await bare.setContent(barePage(rows));
  const figures: Figure[] = [];
  for (const { notches, stepPx } of SPEEDS) {
    const seen: { ours: Scrolled; bare: Scrolled }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const base = await scroll(bare, `document.getElementById('box')`, stepPx);
      const ours = await scroll(
        page,
        `document.querySelector('ul[aria-label="Chats and tickets"]').parentElement`,
        stepPx,
      );
      // The first round is the warm-up.
      if (round > 0) seen.push({ ours, bare: base });
    }
    figures.push(...figuresOf(seen, notches));
  }
  await bare.close();
  await page.bringToFront();
  return figures;
}

function figuresOf(seen: readonly { ours: Scrolled; bare: Scrolled }[], notches: number): Figure[] {
  const ours = seen.map((round) => round.ours);
  const bares = seen.map((round) => round.bare);
  const perFrame = (what: string, ms: (round: Scrolled) => number, wanted: string): Figure => ({
    what,
    ours: `${median(ours.map(ms)).toFixed(1)} ms`,
    bare: `${median(bares.map(ms)).toFixed(1)} ms`,
    ratio: `${median(seen.map((round) => ms(round.ours) / ms(round.bare))).toFixed(1)} ×`,
    wanted,
  });
  return [
    {
      what: `desk: frames missed at 60 a second, list scrolled by ${notches} notches a second, CPU slowed ${SLOWED} ×`,
      ours: missed(ours),
      bare: missed(bares),
      ratio: '–',
      wanted: 'no more than bare',
    },
    perFrame(
      '… time of the page’s thread in a frame',
      ({ scriptMs, drawingMs }) => scriptMs + drawingMs,
      '≤ 16.7 ms',
    ),
    perFrame('… of it script', ({ scriptMs }) => scriptMs, '–'),
    perFrame('… of it style, layout and paint', ({ drawingMs }) => drawingMs, '–'),
  ];
}
