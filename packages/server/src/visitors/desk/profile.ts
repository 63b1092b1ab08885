import { PROFILE_CONSENTS_MAX, PROFILE_DEVICES_MAX, type VisitorProfile } from '@foyer/protocol';
import { sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { presentOpenPage } from '../pages/online-visitors.ts';
import { isOpen } from '../pages/pages.ts';
import { segmentNames } from '../present.ts';
import { LISTED, type ListedRow, presentListed } from './list.ts';

interface DeviceRow {
  id: number;
  user_agent: string | null;
  language: string | null;
  time_zone: string | null;
  created_at: Date;
  seen_at: Date | null;
}

interface PageRow {
  url: string;
  title: string | null;
  referrer: string | null;
  opened_at: Date;
  came_at: Date;
}

/** The page that the visitor has open according to its reports, if no chat is connected. */
function reportedPage({ services, site }: SiteContext, key: string): PageRow | undefined {
  const live = services.liveVisitors.of(site.id).visitors.find((one) => one.key === key);
  return live && { ...live, opened_at: new Date(live.openedAt), came_at: new Date(live.cameAt) };
}

/** A visitor with everything shown beside the timeline. @throws AppError 404 */
export async function openVisitor(ctx: SiteContext, key: string): Promise<VisitorProfile> {
  const { db, site } = ctx;
  const { rows } = await sql<ListedRow & { agent_name: string | null }>`
    select ${LISTED}, (
      select a.name from agents a where a.site_id = v.site_id and a.id = v.blocked_by
    ) as agent_name
    from visitors v where v.site_id = ${site.id} and v.key = ${key} and v.erased_at is null`.execute(db);
  const [row] = rows;
  if (!row) throw notFound('visitor');
  const [names, devices, consents, pages] = await Promise.all([
    segmentNames(db, site.id, [row]),
    sql<DeviceRow>`
      select d.id, d.user_agent, d.language, d.time_zone, d.created_at, d.seen_at from visitor_devices d
      where d.site_id = ${site.id} and d.visitor_id = ${row.id}
      order by coalesce(d.seen_at, d.created_at) desc, d.id desc limit ${PROFILE_DEVICES_MAX}`.execute(db),
    db
      .selectFrom('visitor_consents')
      .select(['id', 'wording', 'language', 'verified', 'agreed_at'])
      .where('site_id', '=', site.id)
      .where('visitor_id', '=', row.id)
      .orderBy('id', 'desc')
      .limit(PROFILE_CONSENTS_MAX)
      .execute(),
    sql<PageRow>`
      select p.url, p.title, p.referrer, p.opened_at, p.came_at from visitor_pages p
      where p.site_id = ${site.id} and p.visitor_id = ${row.id} and ${isOpen(ctx.now())}
      order by p.id desc limit 1`.execute(db),
  ]);
  const here = pages.rows[0] ?? reportedPage(ctx, key);
  return {
    ...presentListed(row, names),
    id: row.id,
    vouched: row.verified_fields.filter((field) => field === 'email' || field === 'name'),
    blocked_by: row.blocked_by === null ? null : { id: row.blocked_by, name: row.agent_name ?? '' },
    devices: devices.rows.map((device) => ({
      id: device.id,
      user_agent: device.user_agent,
      language: device.language,
      time_zone: device.time_zone,
      first_seen_utc: device.created_at.toISOString(),
      last_seen_utc: (device.seen_at ?? device.created_at).toISOString(),
    })),
    consents: consents.map(({ agreed_at, ...consent }) => ({
      ...consent,
      agreed_utc: agreed_at.toISOString(),
    })),
    here: here ? presentOpenPage(here) : null,
  };
}
