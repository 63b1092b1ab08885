import type { OutputOf, ParsedInputOf, Plan } from '@foyer/protocol';
import { chooseLanguage, LANGUAGES } from '@foyer/protocol/values/languages';
import { sql } from 'kysely';
import { AppError, tooMany } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import type { Site, SiteContext } from '../core/context.ts';
import type { Db } from '../db/database.ts';
import { userOfAgent } from './agents/agents.ts';
import { createSite } from './sites.ts';

declare module '../core/context.ts' {
  interface Services {
    /** `FOYER_PLAN`: the plan of sites created in the desk. */
    readonly newSitePlan: Plan;
  }
}

/** Maximum number of sites that one person is an admin of, in case an account is taken over. */
const OWN_SITES_MAX = 50;

interface NewSite {
  name: string;
  plan: Plan;
  time_zone: string | undefined;
  /** The admin's browser languages, most preferred first. */
  languages: readonly string[];
}

/** Creates a site and its first admin, who has an account already, in the caller's transaction. */
export async function createSiteWithAdmin(
  tx: Db,
  { name, plan, time_zone, languages }: NewSite,
  admin: { userId: string; name: string },
): Promise<Site & { publicKey: string; adminId: number }> {
  const language = chooseLanguage(languages, LANGUAGES, 'en');
  const { id, publicKey } = await createSite(tx, { name, plan, time_zone, language });
  const { id: adminId } = await tx
    .insertInto('agents')
    .values({ site_id: id, user_id: admin.userId, name: admin.name, role: 'admin' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, plan, publicKey, adminId };
}

async function assertRoomForSite(tx: SiteContext, userId: string): Promise<void> {
  // Two calls at once could both find room for the last site. The count needs its own statement, because it must see
  // rows committed while this one waited.
  await sql`select from auth_users where id = ${userId} for no key update`.execute(tx.db);
  const { count } = await tx.db
    .selectFrom('agents')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('role', '=', 'admin')
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= OWN_SITES_MAX)
    throw tooMany(OWN_SITES_MAX, `A person can be an admin of at most ${OWN_SITES_MAX} sites.`);
}

/**
 * Creates another site for the calling admin, who becomes its admin. Both sites record it in their audit logs.
 * @throws AppError 409 for an admin of too many sites
 */
export function createOwnSite(
  ctx: SiteContext,
  { name, time_zone, languages }: ParsedInputOf<'sites.create'>,
): Promise<OutputOf<'sites.create'>> {
  const { agentId, name: adminName, isThroughProvider } = agentActor(ctx);
  if (isThroughProvider)
    throw new AppError(
      'insufficient_scope',
      'You signed in with this site’s identity provider. Sign in with your password to create another site.',
      { reason: 'provider_session' },
    );
  return ctx.transaction(async (tx) => {
    const userId = await userOfAgent(tx, agentId);
    await assertRoomForSite(tx, userId);
    const plan = tx.services.newSitePlan;
    const { adminId, ...site } = await createSiteWithAdmin(
      tx.db,
      { name, plan, time_zone, languages },
      { userId, name: adminName },
    );
    const audit = {
      subject: 'site',
      subjectId: site.id,
      label: name,
      action: 'sites.create',
      changes: { name: [null, name] },
    } as const;
    await tx.emit({ audit });
    const admin = { kind: 'agent', agentId: adminId, name: adminName, role: 'admin' } as const;
    await tx.at(site, admin).emit({ notices: [{ kind: 'site' }], audit });
    return { id: site.id, name };
  });
}
