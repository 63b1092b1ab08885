import {
  LANGUAGES,
  type OutputOf,
  type ParsedInputOf,
  PROACTIVE_MAX,
  type ProactiveMessage,
} from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { invalidInput, notFound, tooMany } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { SiteRecords } from '../core/site-records.ts';
import { positionBehind, positionPage } from '../db/keyset.ts';
import type { Tables } from '../db/tables.generated.ts';
import { holdAgent } from '../sites/agents/assignable.ts';
import { lockSite } from '../sites/sites.ts';

// Every process caches with the site what its pages must know about the messages.
const records = new SiteRecords('proactive_messages', 'proactive message', { notice: { kind: 'site' } });

type MessageRow = Selectable<Tables['proactive_messages']>;

/** In a stable order, which jsonb doesn't keep. */
const textsOf = ({ texts }: MessageRow): ProactiveMessage['texts'] =>
  Object.fromEntries(LANGUAGES.flatMap((language) => (texts[language] ? [[language, texts[language]]] : [])));

const presentProactive = (row: MessageRow): ProactiveMessage => ({
  id: row.id,
  name: row.name,
  position: row.position,
  enabled: row.enabled_at !== null,
  texts: textsOf(row),
  sender_id: row.sender_id,
  pages: row.pages,
  except_pages: row.except_pages,
  after_s: row.after_s,
  min_visits: row.min_visits,
  segment_ids: row.segment_ids,
  languages: row.languages,
  from_date: row.from_date,
  until_date: row.until_date,
  hours: row.hours,
  weekly: row.weekly,
  quiet_hours: row.quiet_hours,
  seen: row.seen,
  opened: row.opened,
  answered: row.answered,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
});

/** In their order or, with `id`, that one. @throws AppError 404, also for another site's. */
export async function listProactive(
  ctx: SiteContext,
  { id, ...input }: ParsedInputOf<'proactive_messages.list'>,
): Promise<OutputOf<'proactive_messages.list'>> {
  if (id !== undefined) return presentProactive(await records.get(ctx, id));
  const all = ctx.db.selectFrom('proactive_messages').selectAll().where('site_id', '=', ctx.site.id);
  const { items, ...page } = await positionPage(all, input);
  return { ...page, items: items.map(presentProactive) };
}

/** @returns the position after the last */
async function assertRoom({ db, site }: SiteContext): Promise<number> {
  const { count, last } = await db
    .selectFrom('proactive_messages')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('position').as('last')])
    .where('site_id', '=', site.id)
    .executeTakeFirstOrThrow();
  if (count >= PROACTIVE_MAX)
    throw tooMany(PROACTIVE_MAX, `A site can have at most ${PROACTIVE_MAX} proactive messages.`);
  return positionBehind(last);
}

type Given = Omit<ParsedInputOf<'proactive_messages.update'>, 'id'>;

/** @throws AppError 404 for a segment or agent that the site doesn't have, 409 for an agent who may not answer */
async function checkNamed(tx: SiteContext, { segment_ids = [], sender_id }: Given): Promise<void> {
  if (sender_id) await holdAgent(tx, sender_id);
  if (segment_ids.length === 0) return;
  const { rows } = await sql`
    select from segments where site_id = ${tx.site.id} and id = any (${segment_ids}::bigint[])
      and deleted_at is null`.execute(tx.db);
  if (rows.length < segment_ids.length) throw notFound('segment');
}

/** @throws AppError 400 for a last day before the first */
function checkDays(from: string | null | undefined, until: string | null | undefined): void {
  if (from && until && until < from)
    throw invalidInput([{ path: 'until_date', message: 'must not be before from_date', reason: 'order' }]);
}

/** Omitted fields don't change. */
const columnsOf = (tx: SiteContext, { enabled, texts, weekly, ...plain }: Given, since: Date | null) => ({
  ...plain,
  ...(weekly !== undefined && { weekly: weekly && JSON.stringify(weekly) }),
  ...(texts && { texts: JSON.stringify(texts) }),
  ...(enabled !== undefined && { enabled_at: enabled ? (since ?? tx.now()) : null }),
});

/**
 * Creates a message at the given position, by default after the last. It isn't shown before it is enabled.
 * @throws AppError 400 for days out of order, 404 for an unknown agent or segment, 409 for a name that is taken and for
 * too many messages
 */
export function createProactive(
  ctx: SiteContext,
  input: ParsedInputOf<'proactive_messages.create'>,
): Promise<ProactiveMessage> {
  checkDays(input.from_date, input.until_date);
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const last = await assertRoom(tx);
    await checkNamed(tx, input);
    const now = tx.now();
    const row = await records.insert(tx, {
      ...columnsOf(tx, input, null),
      name: input.name,
      texts: JSON.stringify(input.texts),
      position: input.position ?? last,
      created_at: now,
      updated_at: now,
    });
    return presentProactive(row);
  });
}

/** @throws AppError 400, 404, also for an unknown agent or segment; 409 for a name that is taken. */
export const updateProactive = (
  ctx: SiteContext,
  { id, ...input }: ParsedInputOf<'proactive_messages.update'>,
): Promise<ProactiveMessage> =>
  ctx.transaction(async (tx) => {
    const before = await records.lock(tx, id);
    const { from_date = before.from_date, until_date = before.until_date } = input;
    checkDays(from_date, until_date);
    await checkNamed(tx, input);
    const change = columnsOf(tx, input, before.enabled_at);
    return presentProactive(await records.update(tx, id, change, { updated_at: tx.now() }));
  });

/** Also deletes who was shown it. @throws AppError 404, also for another site's. */
export const deleteProactive = (
  ctx: SiteContext,
  id: number,
): Promise<OutputOf<'proactive_messages.delete'>> => records.delete(ctx, id);
