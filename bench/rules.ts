/**
 * Changes of tickets and messages of visitors on a site with 100 enabled rules that check each of them, compared with
 * the same on a site without rules, within this process, eight at once. Another Foyer process runs the rules meanwhile;
 * none of their conditions match, as is usual for rules.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { appendMessage } from '../packages/server/src/conversations/append/append-message.ts';
import type { SiteContext } from '../packages/server/src/core/context.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { changeTicket } from '../packages/server/src/tickets/changes.ts';
import { lockTicket } from '../packages/server/src/tickets/tickets.ts';
import { contextOf } from './context.ts';
import { type Figure, interleave, rateFigure } from './figures.ts';
import { type World, withWorld } from './foyer.ts';

const ROUNDS = 7;
const RULES = 100;
const RECORDS = 400;
const AT_ONCE = 8;
const CHANGES_A_ROUND = 800;

interface BenchSite {
  ctx: SiteContext;
  tickets: number[];
  chats: string[];
}

async function makeSite({ database: { db } }: World): Promise<BenchSite> {
  const { id } = await createSite(db, { name: 'Bench', plan: 'growth' });
  const { rows } = await sql<{ ticket: number; chat: string }>`
    with people as (
      insert into visitors (site_id, key) select ${id}, 'user_' || n from generate_series(1, ${RECORDS}) n returning id
    ), asked as (
      insert into tickets (site_id, subject, description, requester_id)
      select ${id}, 'Where is it?', 'My parcel has not come.', id from people returning id
    ), chats as (
      insert into conversations (site_id, session_id, visitor_id, status, start_client_id)
      select ${id}, 'ses_' || substr(md5(id::text), 1, 22), id, 'active', gen_random_uuid() from people returning session_id
    )
    select a.id as ticket, c.session_id as chat
    from (select id, row_number() over () as n from asked) a
    join (select session_id, row_number() over () as n from chats) c using (n)`.execute(db);
  return {
    ctx: contextOf(db, id),
    tickets: rows.map((row) => row.ticket),
    chats: rows.map((row) => row.chat),
  };
}

/** A hundred rules that check changes of tickets, and a hundred that check messages. */
const addRules = ({ ctx: { db, site } }: BenchSite): Promise<unknown> =>
  sql`
    insert into rules (site_id, name, position, trigger, events, conditions, actions, enabled_at)
    select ${site.id}, 'rule ' || n || ' ' || e.event, n, jsonb_build_object('on', e.event), array[e.event],
      jsonb_build_object('all', jsonb_build_array(
        jsonb_build_object('contains', 'word ' || n), jsonb_build_object('status', 'closed'))),
      '[{"type": "add_tags", "tags": ["seen"]}]', now()
    from generate_series(1, ${RULES}) n,
      unnest(array['ticket_updated', 'message_created']) e (event)`.execute(db);

/** @returns how many a second */
async function rateOf(work: (at: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < CHANGES_A_ROUND; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return (CHANGES_A_ROUND * 1_000) / (performance.now() - begun);
}

const changing = ({ ctx, tickets }: BenchSite) => {
  let turn = 0;
  return () => {
    turn += 1;
    return rateOf((at) =>
      ctx.transaction(async (tx) => {
        const row = await lockTicket(tx, tickets[at % RECORDS] ?? 0);
        await changeTicket(tx, row, { subject: `Turn ${turn} ${at}` });
      }),
    );
  };
};

const saying =
  ({ ctx, chats }: BenchSite) =>
  () =>
    rateOf((at) =>
      appendMessage(
        ctx,
        chats[at % RECORDS] ?? '',
        { sender: 'visitor', clientId: randomUUID(), text: 'Where is my parcel?' },
        sql`true`,
      ),
    );

/** The cost of 100 rules for the changes that they check. */
export const rules = (): Promise<Figure[]> =>
  withWorld(async (world) => {
    const [ruled, plain] = [await makeSite(world), await makeSite(world)];
    await addRules(ruled);
    await sql`vacuum analyze`.execute(world.database.db);
    const changes = await interleave(ROUNDS, changing(ruled), changing(plain));
    const messages = await interleave(ROUNDS, saying(ruled), saying(plain));
    return [
      rateFigure('ticket changes with 100 rules, against none', changes, '≥ 77 %'),
      rateFigure('messages with 100 rules, against none', messages, '≥ 77 %'),
    ];
  });
