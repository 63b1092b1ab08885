import { type FirstStep, type FirstSteps, PLAN_LIMITS } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { prepared } from '../db/prepared.ts';
import { getSite, type SiteRow } from './sites.ts';
import { findSighting } from './snippet-sightings.ts';

/** How many recent handoffs are searched for an answer: an active agent has answered one of them. */
const HANDOFFS_LOOKED_AT = 500;

const ADMIN_STEPS = [
  'snippet',
  'look',
  'article',
  'chat',
  'team',
  'hours',
  'mail',
  'alerts',
] as const satisfies FirstStep[];
const AGENT_STEPS = ['chat', 'picture', 'alerts'] as const satisfies FirstStep[];

/** The look of a new site, as the migrations define it. */
const LOOK_AT_FIRST = {
  color: '#0f766e',
  position: 'right',
  theme: 'auto',
  launcher_text: '',
  logo: null,
  greeting: '',
} as const;

/** Articles from the setup count once somebody has edited them. */
const ownArticle = (siteId: number): RawBuilder<unknown> => sql`exists (
  select from articles a
  where a.site_id = ${siteId} and a.status = 'Published' and (
    not exists (
      select from sample_records r where r.site_id = a.site_id and r.kind = 'article' and r.record_id = a.id and r.removed_at is null)
    or exists (
      select from article_versions v where v.site_id = a.site_id and v.article_id = a.id and v.number > 1)))`;

/** Whether this agent, or without one any agent, has written in a chat that isn't an example. */
const answeredChat = (siteId: number, agentId: number | undefined): RawBuilder<unknown> => sql`exists (
  select from (
    select conversation_id from handoffs where site_id = ${siteId}
    order by created_at desc, id desc limit ${sql.lit(HANDOFFS_LOOKED_AT)}
  ) h
  where exists (
    select from messages m
    where m.site_id = ${siteId} and m.conversation_id = h.conversation_id and m.sender = 'agent'
      and ${agentId === undefined ? sql`true` : sql`m.agent_id = ${agentId}`})
  and not exists (
    select from sample_records r
    where r.site_id = ${siteId} and r.kind = 'chat' and r.record_id = h.conversation_id))`;

const hasTeam = (siteId: number): RawBuilder<unknown> => sql`(
  exists (select from invitations where site_id = ${siteId})
  or (select count(*) from agents where site_id = ${siteId}) > 1)`;

const LOOK = Object.keys(LOOK_AT_FIRST) as (keyof typeof LOOK_AT_FIRST)[];
const hasLook = (site: SiteRow): boolean => LOOK.some((name) => site[name] !== LOOK_AT_FIRST[name]);

type Evidence = Record<Exclude<FirstStep, 'snippet' | 'look'>, boolean> & { put_away: boolean };

/** Reads all evidence in one statement. */
async function readEvidence(ctx: SiteContext, agentId: number, isAdmin: boolean): Promise<Evidence> {
  const { db, site } = ctx;
  const { rows } = await sql<Evidence>`${prepared}
    select first_steps_put_away_at is not null as put_away, picture is not null as picture,
      ${ownArticle(site.id)} as article, ${answeredChat(site.id, isAdmin ? undefined : agentId)} as chat,
      ${hasTeam(site.id)} as team,
      exists (select from sites where id = ${site.id} and office_hours is not null) as hours,
      exists (select from mail_settings where site_id = ${site.id}) as mail,
      exists (select from push_devices where site_id = ${site.id} and agent_id = ${agentId})
        or exists (select from notification_choices where site_id = ${site.id} and agent_id = ${agentId}) as alerts
    from agents where site_id = ${site.id} and id = ${agentId}`.execute(db);
  if (!rows[0]) throw notFound('agent');
  return rows[0];
}

/** Which first steps a new admin or agent has completed, derived from the current data. */
export async function getFirstSteps(ctx: SiteContext): Promise<FirstSteps> {
  const { agentId, role } = agentActor(ctx);
  const isAdmin = role === 'admin';
  const site = await getSite(ctx.db, ctx.site.id);
  const { put_away, ...evidence } = await readEvidence(ctx, agentId, isAdmin);
  const snippet = isAdmin ? await findSighting(ctx, site.allowed_origins) : null;
  const done = {
    ...evidence,
    snippet: snippet?.allowed === true,
    look: hasLook(site),
    mail: evidence.mail || ctx.services.mailer !== undefined,
  };
  const steps = isAdmin ? ADMIN_STEPS : AGENT_STEPS;
  return {
    steps: steps
      // A plan for one agent has nobody to invite.
      .filter((step) => step !== 'team' || PLAN_LIMITS[site.plan].agents !== 1)
      .map((step) => ({ step, done: done[step] })),
    snippet,
    put_away,
  };
}

/** Dismisses the first steps for this agent, or shows them again. */
export async function putFirstStepsAway(ctx: SiteContext, isAway: boolean): Promise<void> {
  const { agentId } = agentActor(ctx);
  await ctx.db
    .updateTable('agents')
    .set({ first_steps_put_away_at: isAway ? ctx.now() : null })
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', agentId)
    .execute();
}
