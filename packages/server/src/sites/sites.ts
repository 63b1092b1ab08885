import { randomBytes } from 'node:crypto';
import {
  type Language,
  NAME_MAX,
  type ParsedInputOf,
  PLANS,
  type Plan,
  type SiteSettings,
  text,
  timeZone,
} from '@foyer/protocol';
import { LANGUAGES } from '@foyer/protocol/values/languages';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { AppError, notFound } from '../base/errors.ts';
import { assertNoCustomRole } from '../core/access/permissions.ts';
import type { Site, SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import type { Tables } from '../db/tables.generated.ts';
import { recountInTimeZone } from '../rollups/time-zone.ts';
import { checkAskedFields } from './fields/asked-fields.ts';
import { presentLook } from './look.ts';
import { checkedInput } from './sign-in/checked-input.ts';
import { afterHoursChanged } from './teams/hours.ts';

export type SiteRow = Selectable<Tables['sites']>;

const LIST_PAGE = 500;

export const siteName = text(1, NAME_MAX);
const plan = z.enum(PLANS);
const newSite = z.object({
  name: siteName,
  plan,
  language: z.enum(LANGUAGES).optional(),
  time_zone: timeZone.optional(),
});

/** `pk_` and 128 random bits. Identifies the site in every page's snippet and grants no access. */
const newPublicKey = (): string => `pk_${randomBytes(16).toString('base64url')}`;

/** @throws AppError 400 for an invalid name or plan */
export async function createSite(
  db: Db,
  input: { name: string; plan: Plan; language?: Language; time_zone?: string | undefined },
): Promise<{ id: number; publicKey: string }> {
  const values = checkedInput(newSite, input);
  const { id, public_key } = await db
    .insertInto('sites')
    .values({ ...values, public_key: newPublicKey(), greeting: '' })
    .returning(['id', 'public_key'])
    .executeTakeFirstOrThrow();
  return { id, publicKey: public_key };
}

function findSite(db: Db, id: number): Promise<SiteRow | undefined> {
  return db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @throws AppError 404 for an unknown id */
export async function getSite(db: Db, id: number): Promise<SiteRow> {
  const row = await findSite(db, id);
  if (!row) throw notFound('site');
  return row;
}

/** The site as admins and the operator see it, without secrets. */
export function presentSite(row: SiteRow): SiteSettings {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    public_key: row.public_key,
    ...presentLook(row),
    language: row.language,
    languages: row.languages,
    greeting: row.greeting,
    pre_chat: row.pre_chat,
    survey: row.survey,
    allowed_origins: row.allowed_origins,
    email_offer_after_s: row.email_offer_after_s,
    sound: row.sound,
    typing_preview: row.typing_preview,
    consent: row.consent,
    live_visitors: row.live_visitors,
    challenges: row.challenges,
    redaction: row.redaction,
    signature: row.signature,
    time_zone: row.time_zone,
    office_hours: row.office_hours,
    routing: row.routing,
    ticket_routing: row.ticket_routing,
    email_replies_after_min: row.email_replies_after_min,
    chat_mailbox_id: row.chat_mailbox_id,
    return_chats_after_s: row.return_chats_after_s,
    team_fallback_after_s: row.team_fallback_after_s,
    ticket_fallback_after_s: row.ticket_fallback_after_s,
    last_agent_first: row.last_agent_first,
    upload_max_bytes: row.upload_max_bytes,
    upload_max_files: row.upload_max_files,
    upload_kinds: row.upload_kinds,
    two_factor_required: row.two_factor_required_at !== null,
    session_idle_hours: row.session_idle_hours,
    session_max_days: row.session_max_days,
    created_utc: row.created_at.toISOString(),
  };
}

/**
 * Absent fields keep their values. New office hours may change the time zone by whose days reports count.
 * @throws AppError 404 for an unknown mailbox, 409
 */
export function updateSite(
  ctx: SiteContext,
  {
    office_hours: hours,
    pre_chat,
    redaction,
    survey,
    two_factor_required: required,
    ...settings
  }: ParsedInputOf<'site.update'>,
): Promise<SiteSettings> {
  // Somebody could lock the admins out.
  if ([required, settings.session_idle_hours, settings.session_max_days].some((rule) => rule !== undefined))
    assertNoCustomRole(ctx);
  const officeHours =
    hours === undefined ? {} : { office_hours: hours === null ? null : JSON.stringify(hours) };
  const preChat = pre_chat && { pre_chat: JSON.stringify(pre_chat) };
  const asked = survey && { survey: JSON.stringify(survey) };
  const hidden = redaction && { redaction: JSON.stringify(redaction) };
  return ctx.transaction(async (tx) => {
    if (pre_chat) await checkAskedFields(tx, pre_chat, (await getSite(tx.db, tx.site.id)).pre_chat);
    if (typeof settings.chat_mailbox_id === 'number') await checkMailbox(tx, settings.chat_mailbox_id);
    const twoFactor =
      required === undefined ? {} : { two_factor_required_at: await requiredSince(tx, required) };
    // `id` is always set, because an update of no column is invalid SQL.
    await tx.db
      .updateTable('sites')
      .set({ id: tx.site.id, ...settings, ...officeHours, ...preChat, ...asked, ...hidden, ...twoFactor })
      .where('id', '=', tx.site.id)
      .execute();
    const row = await getSite(tx.db, tx.site.id);
    if (hours !== undefined || settings.time_zone !== undefined) await recountInTimeZone(tx.db, row);
    if (hours !== undefined) await afterHoursChanged(tx);
    await tx.emit({ notices: [{ kind: 'site' }, { kind: 'agents' }] });
    return presentSite(row);
  });
}

async function checkMailbox({ db, site }: SiteContext, id: number): Promise<void> {
  const found = db.selectFrom('mailboxes').select('id').where('site_id', '=', site.id).where('id', '=', id);
  if (!(await found.executeTakeFirst())) throw notFound('mailbox');
}

/**
 * Requires the calling admin to have two-factor sign-in or a passkey, otherwise nobody could switch the requirement off.
 * @throws AppError 409
 */
async function requiredSince(tx: SiteContext, required: boolean): Promise<Date | null> {
  if (!required) return null;
  const { two_factor_required_at: since } = await getSite(tx.db, tx.site.id);
  if (since) return since;
  const { actor } = tx;
  if (actor.kind === 'agent') {
    const own = await tx.db
      .selectFrom('agents')
      .innerJoin('auth_users', 'auth_users.id', 'agents.user_id')
      .leftJoin('auth_passkeys', 'auth_passkeys.user_id', 'auth_users.id')
      .select(['auth_users.two_factor_enabled', 'auth_passkeys.id as passkey'])
      .where('agents.site_id', '=', tx.site.id)
      .where('agents.id', '=', actor.agentId)
      .limit(1)
      .executeTakeFirst();
    if (!own?.two_factor_enabled && !own?.passkey) {
      throw new AppError(
        'conflict',
        'Set up your own two-factor authentication or a passkey first, under Settings → Account.',
        {
          reason: 'two_factor_own_first',
        },
      );
    }
  }
  return tx.now();
}

/** Changes the plan. A smaller one keeps existing agents but allows no more. */
export async function setPlan(ctx: SiteContext, to: Plan): Promise<SiteSettings> {
  const wanted = checkedInput(plan, to);
  return ctx.transaction(async (tx) => {
    await tx.db.updateTable('sites').set({ plan: wanted }).where('id', '=', tx.site.id).execute();
    const row = await getSite(tx.db, tx.site.id);
    await tx.emit({ notices: [{ kind: 'site' }, { kind: 'tokens' }] });
    return presentSite(row);
  });
}

/** For the operator: all sites of this installation, oldest first, read page by page. */
export async function* listSites(db: Db): AsyncGenerator<SiteSettings, void> {
  let after = 0;
  while (true) {
    const page = db.selectFrom('sites').selectAll().where('id', '>', after).orderBy('id').limit(LIST_PAGE);
    const rows = await page.execute();
    for (const row of rows) yield presentSite(row);
    const last = rows.at(-1);
    if (!last || rows.length < LIST_PAGE) return;
    after = last.id;
  }
}

/**
 * Serialises everything that counts a site's agents or tokens. It doesn't block writes that only refer to the site.
 */
export async function lockSite(tx: SiteContext): Promise<Site> {
  return tx.db
    .selectFrom('sites')
    .select(['id', 'plan'])
    .where('id', '=', tx.site.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('site'));
}
