import type { CDPSession, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of the thread's own time. */
  tdur?: number;
  args?: { name?: string };
}

const TASKS = ['RunTask', 'ThreadControllerImpl::RunTask'];

/**
 * Milliseconds of each task of the page's thread while `work` runs: of its own time, so that what else the machine does
 * meanwhile does not count.
 */
export async function taskTimes(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('no browser');
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', '__metadata'] });
  await work();
  await page.waitForTimeout(300);
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const isPage = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const own = traceEvents.filter(({ name, pid, tid }) => TASKS.includes(name) && isPage.has(`${pid}:${tid}`));
  if (own.length === 0) throw new Error('the trace has no task of the page');
  return own.map(({ tdur }) => (tdur ?? 0) / 1_000);
}

/** The page as on a machine that is so many times slower. */
export async function slowDown(page: Page, rate: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  return session;
}
