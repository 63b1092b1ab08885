import type { CDPSession, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** In microseconds: start, duration, and the thread's own time in it. */
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

const TASKS = ['RunTask', 'ThreadControllerImpl::RunTask'];

/** The names of style, layout and paint in a trace; the rest of a task is script. */
const DRAWING = ['UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit'];

const CATEGORIES = ['toplevel', 'devtools.timeline', '__metadata'];

const ownMs = (events: readonly TraceEvent[]): number[] => events.map(({ tdur }) => (tdur ?? 0) / 1_000);

/** The tasks of the page's thread while `work` runs. */
async function traced(page: Page, work: () => Promise<unknown>): Promise<TraceEvent[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('no browser');
  await browser.startTracing(page, { categories: CATEGORIES });
  await work();
  await page.waitForTimeout(300);
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const isPage = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  return traceEvents.filter(({ pid, tid }) => isPage.has(`${pid}:${tid}`));
}

/** The outermost events with these names. */
function outermost(events: readonly TraceEvent[], names: readonly string[]): TraceEvent[] {
  const named = events.filter(({ name, dur }) => names.includes(name) && dur !== undefined);
  let end = 0;
  return named
    .toSorted((one, two) => one.ts - two.ts)
    .filter(({ ts, dur = 0 }) => {
      const isWithin = ts < end;
      if (!isWithin) end = ts + dur;
      return !isWithin;
    });
}

/**
 * Milliseconds of each task of the page's thread while `work` runs, in the thread's own time, so that other load of the
 * machine does not count.
 */
export async function taskTimes(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  const own = (await traced(page, work)).filter(({ name }) => TASKS.includes(name));
  if (own.length === 0) throw new Error('the trace has no task of the page');
  return ownMs(own);
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** Milliseconds of the page's thread's own time while `work` runs: script, and style, layout and paint. */
export async function threadTimes(
  page: Page,
  work: () => Promise<unknown>,
): Promise<{ script: number; drawing: number }> {
  const events = await traced(page, work);
  const drawing = sum(ownMs(outermost(events, DRAWING)));
  return { script: sum(ownMs(outermost(events, TASKS))) - drawing, drawing };
}

/** Slows the page's CPU by this factor. */
export async function slowDown(page: Page, rate: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  return session;
}
