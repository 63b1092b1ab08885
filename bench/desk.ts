/**
 * How quick the desk is in a site with 100,000 conversations, 10,000 of them open, in real Chromium: conversations are
 * opened from the list, the list is scrolled on a slowed CPU, a visitor writes, an agent types. Compared with plain
 * pages in the same browser that do the minimum, and with the limits. Needs the built dashboard and a Chromium.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { launchChromium } from '../packages/server/test/chromium.ts';
import { TestSocket } from '../packages/server/test/sockets.ts';
import { requireBuilt } from './built.ts';
import { ACCOUNT, addAda } from './context.ts';
import { scrollList } from './desk-list.ts';
import { openConversations } from './desk-open.ts';
import { type Figure, median, NONE } from './figures.ts';
import { type World, withWorld } from './foyer.ts';
import { fillChats } from './report-chats.ts';
import { taskTimes } from './trace.ts';

const CLOSED = 90_000;
const OPEN = 10_000;
const WRITTEN = 20;
const TYPED = 'Thank you, we have sent a new one today and it will be with you on Thursday. ';

interface Furnished {
  publicKey: string;
  siteId: number;
}

async function furnish({ database: { db } }: World): Promise<Furnished> {
  const { id: siteId, publicKey } = await createSite(db, { name: 'Lantern & Loom', plan: 'growth' });
  await addAda(db, siteId);
  await fillChats(db, siteId, CLOSED);
  await sql`
    insert into conversations (site_id, session_id, visitor_id, start_client_id, status, last_seq, started_at,
      last_message_at, last_sender, last_text)
    select ${siteId}, 'ses_' || lpad(n::text, 22, 'D'), v.first + n % 1000, gen_random_uuid(), 'bot', 12,
      now() - make_interval(secs => n), now() - make_interval(secs => n), 'visitor',
      'Where is my order ' || n || '? It was promised for Thursday'
    from generate_series(1, ${OPEN}::int) n,
      (select min(id) as first from visitors where site_id = ${siteId}) v`.execute(db);
  await sql`
    insert into messages (site_id, conversation_id, seq, client_id, sender, text, created_at)
    select c.site_id, c.id, n, gen_random_uuid(), case when n % 2 = 0 then 'visitor' else 'bot' end,
      'Where is my order, please? It is number ' || n || ' of ' || c.session_id, c.started_at + make_interval(secs => n)
    from conversations c, generate_series(1, 12) n
    where c.site_id = ${siteId} and c.session_id like 'ses_DDDD%'`.execute(db);
  await sql`analyze`.execute(db);
  return { publicKey, siteId };
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/app/`);
  await page.getByLabel('Email').fill(ACCOUNT.email);
  await page.getByLabel('Password').fill(ACCOUNT.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  // Preloading is not part of the measurement.
  await page.waitForTimeout(6_000);
}

const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Milliseconds from before a visitor's message is sent until it is in the page, including its commit. */
async function messageTimes({ foyer }: World, { publicKey }: Furnished, page: Page): Promise<number[]> {
  const { socket } = await TestSocket.visitor(foyer.url, publicKey);
  const say = (session_id: string | null, text: string) =>
    socket.call('chat.send', { session_id, client_id: randomUUID(), text }) as Promise<{
      session: { session_id: string } | null;
    }>;
  const id = (await say(null, 'Good morning')).session?.session_id ?? '';
  await page.goto(`${foyer.url}/app/inbox/${id}?queue=open`);
  await page.getByRole('log').getByText('Good morning').waitFor();
  await page.waitForTimeout(3_000);
  const times: number[] = [];
  for (let at = 0; at < WRITTEN; at++) {
    const seen = page.evaluate<number>(`new Promise((resolve) => {
      const log = document.querySelector('[role=log]');
      const watch = new MutationObserver(() => {
        if (!log.textContent.includes('Line ${at}.')) return;
        watch.disconnect();
        requestAnimationFrame(() => resolve(Date.now()));
      });
      watch.observe(log, { childList: true, subtree: true, characterData: true });
    })`);
    await page.waitForTimeout(100);
    const from = Date.now();
    await say(id, `Line ${at}.`);
    times.push((await seen) - from);
  }
  socket.cut();
  return times;
}

export async function desk(): Promise<Figure[]> {
  requireBuilt('dashboard');
  return withWorld(async (world) => {
    const furnished = await furnish(world);
    const browser = await launchChromium();
    try {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await signIn(page, world.foyer.url);
      await page.goto(`${world.foyer.url}/app/inbox?queue=open`);
      await page.getByRole('list', { name: 'Chats and tickets' }).getByRole('listitem').first().waitFor();
      await page.waitForTimeout(3_000);
      const opened = await openConversations(page);
      const scrolled = await scrollList(page, OPEN);
      const written = await messageTimes(world, furnished, page);
      await page.getByRole('tab', { name: 'Note' }).click();
      const box = page.getByRole('textbox', { name: 'Note' }).first();
      await box.focus();
      const typed = await taskTimes(page, () => box.pressSequentially(TYPED, { delay: 40 }));
      const bare = await context.newPage();
      await bare.setContent('<!doctype html><textarea autofocus></textarea>');
      const bareBox = bare.getByRole('textbox');
      await bareBox.focus();
      const bareTyped = await taskTimes(bare, () => bareBox.pressSequentially(TYPED, { delay: 40 }));
      return [
        ...opened,
        ...scrolled,
        {
          what: 'desk: visitor’s message sent to on the screen',
          ours: `${ms(median(written))}, longest ${ms(Math.max(...written))}`,
          bare: NONE,
          ratio: NONE,
          wanted: '< 100 ms',
        },
        {
          what: 'desk: a key in the box, longest task',
          ours: ms(Math.max(...typed)),
          bare: ms(Math.max(...bareTyped)),
          ratio: `${(Math.max(...typed) / Math.max(...bareTyped)).toFixed(1)} ×`,
          wanted: '< 16 ms',
        },
      ];
    } finally {
      await browser.close();
    }
  });
}
