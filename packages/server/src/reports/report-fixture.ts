import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Ground } from '../../test/ground.ts';
import type { SiteContext } from '../context.ts';
import { sendMessage } from '../conversations/chat.ts';
import { addAgentNamed } from '../tickets/ticket-fixture.ts';
import { openDevice } from '../visitors/devices.ts';
import { countSite } from './counting.ts';

// For the tests of this folder.

export interface Shop {
  site: SiteContext;
  /** At a moment. */
  at(time: string): SiteContext;
  agent(name: string): Promise<{ id: number; at(time: string): SiteContext }>;
  /** A visitor with a chat that begins then. */
  chat(time: string): Promise<{ id: string; key: string; at(time: string): SiteContext }>;
  count(): Promise<void>;
  /** All sums, as `measure day subject bucket count total`. */
  sums(): Promise<string[]>;
}

export async function openShop(ground: Ground): Promise<Shop> {
  const site = await ground.makeSite();
  const siteId = site.site.id;
  const clock = (time: string) => () => new Date(time);
  return {
    site,
    at: (time) => ground.contextOf(siteId, { now: clock(time) }),
    async agent(name) {
      const { id } = await addAgentNamed(site, name);
      const actor = { kind: 'agent', agentId: id, name, role: 'admin' } as const;
      return { id, at: (time) => ground.contextOf(siteId, { actor, now: clock(time) }) };
    },
    async chat(time) {
      const key = `user_${randomUUID()}`;
      const device = await openDevice(site.db, siteId, { key, now: new Date(time) });
      const { visitorId, deviceId, verified } = device;
      const actor = { kind: 'visitor', visitorId, deviceId, verified } as const;
      const at = (moment: string) => ground.contextOf(siteId, { actor, now: clock(moment) });
      const said = { sessionId: null, clientId: randomUUID(), text: 'Good morning' };
      const { sessionId } = await sendMessage(at(time), said);
      return { id: sessionId, key, at };
    },
    count: () => countSite(ground.contextOf(siteId, { actor: { kind: 'job' } })),
    async sums() {
      const { rows } = await sql<{ line: string }>`
        select concat_ws(' ', measure, day, subject, bucket, count, total) as line from report_days
        where site_id = ${siteId}`.execute(ground.db);
      return rows.map(({ line }) => line).toSorted();
    },
  };
}

/** Forgets all that was counted, as if the tables had just been made, and counts what is there. */
export async function countFromNothing(ground: Ground, shop: Shop): Promise<void> {
  const site_id = shop.site.site.id;
  for (const table of ['report_days', 'report_counted', 'report_marks'] as const)
    await ground.db.deleteFrom(table).where('site_id', '=', site_id).execute();
  await sql`
    update report_sites set
      chats_below = (select max(id) + 1 from conversations where site_id = ${site_id}),
      tickets_below = (select max(id) + 1 from tickets where site_id = ${site_id})
    where site_id = ${site_id}`.execute(ground.db);
  await shop.count();
}
