import { type Bubble, chooseLanguage, LANGUAGES, type Language } from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { Tables } from '../db/tables.generated.ts';
import type { KnownSite } from '../sites/directory.ts';
import { picturePath } from '../sites/pictures.ts';
import { touchVisitor } from '../visitors/events/track.ts';
import { identitySecrets, trustInPage } from '../visitors/identity/identity-proof.ts';
import { settled } from '../visitors/identity/upsert.ts';
import { scopeOf } from '../visitors/rows.ts';
import { isScheduled } from './active.ts';

/** A page that asks for a message, or reports that it was opened. */
export interface Asking {
  id: number;
  key: string;
  userHash: string | undefined;
  /** The languages that the visitor wants, most preferred first. */
  wanted: readonly string[];
}

type MessageRow = Selectable<Tables['proactive_messages']>;

/** A message with its sender, and what is known about the visitor, who may not have a record yet. */
interface Candidate extends MessageRow {
  sender_name: string | null;
  sender_picture: string | null;
  bot_name: string;
  visitor_segments: number[];
  is_blocked: boolean;
  was_shown: boolean;
  last_shown_at: Date | null;
  is_in_chat: boolean;
}

async function findCandidate({ db, site }: SiteContext, { id, key }: Asking): Promise<Candidate | undefined> {
  const { rows } = await sql<Candidate>`
    select m.*, a.name as sender_name, a.picture as sender_picture, s.bot_name,
      coalesce(v.segment_ids, '{}') as visitor_segments, v.blocked_at is not null as is_blocked,
      exists (
        select from proactive_receipts r where r.site_id = v.site_id and r.visitor_id = v.id and r.message_id = m.id
      ) as was_shown,
      (select max(r.seen_at) from proactive_receipts r where r.site_id = v.site_id and r.visitor_id = v.id)
        as last_shown_at,
      exists (
        select from conversations c where c.site_id = v.site_id and c.visitor_id = v.id and c.status <> 'closed'
      ) as is_in_chat
    from proactive_messages m join sites s on s.id = m.site_id
    left join agents a on a.site_id = m.site_id and a.id = m.sender_id and a.removed_at is null
    left join visitors v on v.site_id = m.site_id and v.key = ${key} and v.erased_at is null
    where m.site_id = ${site.id} and m.id = ${id} and m.enabled_at is not null`.execute(db);
  return rows[0];
}

/** Whether the message may be shown to this visitor now. The page has checked place and time on it. */
function mayBeShown(one: Candidate, site: KnownSite, language: Language, now: Date): boolean {
  const { segment_ids: segments, languages, quiet_hours: quiet, last_shown_at: last } = one;
  if (one.is_blocked || one.was_shown || one.is_in_chat || !isScheduled(one, site, now)) return false;
  if (segments.length > 0 && !segments.some((id) => one.visitor_segments.includes(id))) return false;
  if (languages.length > 0 && !languages.includes(language)) return false;
  return last === null || last.getTime() <= now.getTime() - quiet * 3_600_000;
}

/** The language of the text that is shown: the visitor's, or else the site's, or else any. */
const textLanguage = ({ texts }: Pick<MessageRow, 'texts'>, language: Language, site: KnownSite): Language =>
  [language, site.language, ...LANGUAGES].find((one) => texts[one] !== undefined) ?? site.language;

/** Whether this page may speak for the visitor with this key: if the site can prove identities, it must. */
async function mayAsk(ctx: SiteContext, { key, userHash }: Asking): Promise<boolean> {
  const secrets = await identitySecrets(ctx.db, ctx.site.id, ctx.services.vault, ctx.now());
  return trustInPage(secrets, key, userHash) !== 'unproven';
}

/** @returns false if another tab was faster */
async function storeReceipt(
  tx: SiteContext,
  visitorId: number,
  id: number,
  language: Language,
): Promise<boolean> {
  const { rows } = await sql`
    with shown as (
      insert into proactive_receipts (site_id, visitor_id, message_id, language, seen_at)
      values (${tx.site.id}, ${visitorId}, ${id}, ${language}, ${tx.now()})
      on conflict do nothing returning message_id
    )
    update proactive_messages set seen = seen + 1
    where site_id = ${tx.site.id} and id = (select message_id from shown) returning id`.execute(tx.db);
  return rows.length > 0;
}

/**
 * The message for a page that asks for one; null if this visitor must not be shown it now. It then counts as seen: of
 * several tabs that ask at once, one gets it. Nothing is stored about visitors who don't get it.
 */
export async function showProactive(
  ctx: SiteContext,
  site: KnownSite,
  asking: Asking,
): Promise<Bubble | null> {
  const language = chooseLanguage(asking.wanted, site.languages, site.language);
  const first = await findCandidate(ctx, asking);
  if (!first || !mayBeShown(first, site, language, ctx.now()) || !(await mayAsk(ctx, asking))) return null;
  return ctx.transaction(async (tx) => {
    const scope = scopeOf(tx);
    // Locks the visitor: two messages at once would each find the other not shown yet.
    const told = await touchVisitor(scope, asking.key);
    const one = await findCandidate(tx, asking);
    if (!one || !mayBeShown(one, site, language, tx.now())) return null;
    const shown = textLanguage(one, language, site);
    if (!(await storeReceipt(tx, told.visitor.id, one.id, shown))) return null;
    await settled(scope, told);
    return {
      text: one.texts[shown] ?? '',
      language: shown,
      sender: {
        name: one.sender_name ?? one.bot_name,
        picture_url: picturePath(one.sender_picture),
        is_bot: one.sender_name === null,
      },
    };
  });
}

/** Counts that the visitor opened a message that they were shown, once. */
export async function openProactive(ctx: SiteContext, asking: Asking): Promise<void> {
  if (!(await mayAsk(ctx, asking))) return;
  const { db, site } = ctx;
  await sql`
    with opened as (
      update proactive_receipts r set opened_at = ${ctx.now()} from visitors v
      where v.site_id = ${site.id} and v.key = ${asking.key} and v.erased_at is null
        and r.site_id = v.site_id and r.visitor_id = v.id and r.message_id = ${asking.id} and r.opened_at is null
      returning r.message_id
    )
    update proactive_messages set opened = opened + 1
    where site_id = ${site.id} and id = (select message_id from opened)`.execute(db);
}
