import { DESK_LANGUAGES, type DeskLanguage } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';

const isDeskLanguage = (language: string): language is DeskLanguage =>
  DESK_LANGUAGES.some((known) => known === language);

/** The agent's own choice of language; without one the site's, if the desk has it; else English. */
export async function deskLanguageOf({ db, site }: SiteContext, agentId: number): Promise<DeskLanguage> {
  const row = await db
    .selectFrom('agents as a')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .select(['a.language', 's.language as site_language'])
    .where('a.site_id', '=', site.id)
    .where('a.id', '=', agentId)
    .executeTakeFirst();
  const wanted = row?.language ?? row?.site_language ?? 'en';
  return isDeskLanguage(wanted) ? wanted : 'en';
}
