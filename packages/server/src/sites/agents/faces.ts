import { type Agent, type SiteSettings, TEAM_FACES_MAX, type TeamFace } from '@foyer/protocol';
import { createBoundedCache } from '../../base/bounded-cache.ts';
import { notFound } from '../../base/errors.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import {
  drawPicture,
  dropPicture,
  FACE,
  keepPicture,
  LOGO,
  type NewPicture,
  picturePath,
} from '../pictures.ts';
import { getSite, lockSite, presentSite } from '../sites.ts';
import { getAgent } from './agents.ts';

/** How many earlier addresses of an agent's picture redirect to the current one. */
const EARLIER_MAX = 8;

/** @throws AppError 400 or 413 for a file that is no image or too large; the logo stays as it was */
export async function setLogo(ctx: SiteContext, content: string | null): Promise<SiteSettings> {
  const logo = content === null ? null : await drawPicture(ctx, content, LOGO);
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const { logo: before } = await getSite(tx.db, tx.site.id);
    if (logo) await keepPicture(tx, logo);
    await tx.db
      .updateTable('sites')
      .set({ logo: logo?.name ?? null })
      .where('id', '=', tx.site.id)
      .execute();
    await dropPicture(tx, before);
    await tx.emit({ notices: [{ kind: 'site' }] });
    return presentSite(await getSite(tx.db, tx.site.id));
  });
}

/** Sets the agent's own picture. @throws AppError 400, 413 as `setLogo` */
export async function setOwnPicture(ctx: SiteContext, content: string | null): Promise<Agent> {
  const { agentId } = agentActor(ctx);
  return setPicture(ctx, agentId, content === null ? null : await drawPicture(ctx, content, FACE, agentId));
}

/** Removes any agent's picture, such as one that visitors should not see. @throws AppError 404 */
export const removePicture = (ctx: SiteContext, agentId: number): Promise<Agent> =>
  setPicture(ctx, agentId, null);

/** Addresses of a replaced picture redirect to the new one; addresses of a removed picture lead nowhere. */
function setPicture(ctx: SiteContext, agentId: number, picture: NewPicture | null): Promise<Agent> {
  return ctx.transaction(async (tx) => {
    await lockSite(tx);
    const before = await tx.db
      .selectFrom('agents')
      .select(['picture', 'earlier_pictures'])
      .where('site_id', '=', tx.site.id)
      .where('id', '=', agentId)
      .where('removed_at', 'is', null)
      .executeTakeFirstOrThrow(() => notFound('agent'));
    if (picture) await keepPicture(tx, picture);
    const replaced = [...before.earlier_pictures, before.picture].filter((name) => name !== null);
    const earlier = picture ? replaced.filter((name) => name !== picture.name).slice(-EARLIER_MAX) : [];
    await tx.db
      .updateTable('agents')
      .set({ picture: picture?.name ?? null, earlier_pictures: earlier })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', agentId)
      .execute();
    await dropPicture(tx, before.picture);
    await tx.emit({ notices: [{ kind: 'agents' }] });
    return getAgent(tx, agentId);
  });
}

/** A fallback in case a notice is lost. */
const KEEP_MS = 10_000;
const KEEP_MAX = 10_000;

export interface TeamFaces {
  /** The few of these agents that visitors see; those with pictures come first. */
  of(siteId: number, agentIds: readonly number[]): Promise<TeamFace[]>;
  /** Call it on a notice of kind `agents`; without an id, when notices may have been missed. */
  forget(siteId?: number): void;
}

/** The agents shown to visitors, cached: every page view asks for them. */
export function createTeamFaces(db: Db, now: () => Date): TeamFaces {
  const known = createBoundedCache<TeamFace[]>({ max: KEEP_MAX, ttlMs: KEEP_MS, now });
  /** A result read before a notice may be older than the change, so it isn't kept. */
  let notices = 0;
  return {
    async of(siteId, agentIds) {
      if (agentIds.length === 0) return [];
      const key = `${siteId} ${agentIds.join()}`;
      const kept = known.get(key);
      if (kept) return kept;
      const before = notices;
      const rows = await db
        .selectFrom('agents')
        .select(['id', 'name', 'picture'])
        .where('site_id', '=', siteId)
        .where('id', 'in', [...agentIds])
        .where('removed_at', 'is', null)
        .orderBy((eb) => eb('picture', 'is', null))
        .orderBy('id')
        .limit(TEAM_FACES_MAX)
        .execute();
      const faces = rows.map(({ id, name, picture }) => ({ id, name, picture_url: picturePath(picture) }));
      if (notices === before) known.set(key, faces, siteId);
      return faces;
    },
    forget(siteId) {
      notices += 1;
      if (siteId === undefined) known.clear();
      else known.deleteSite(siteId);
    },
  };
}
