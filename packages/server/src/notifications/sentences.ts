import { DESK_LANGUAGES, type DeskLanguage, type NotificationKind } from '@foyer/protocol';
import type { SiteContext } from '../context.ts';
import type { DeskSpeech } from '../words/desk-words.ts';

interface Told {
  kind: NotificationKind;
  visitor_name: string | null;
  visitor_email: string | null;
  by_name: string | null;
  ticket_id: number | null;
  count: number;
}

/** What has happened, in a line: the title of a push, an entry of a mail. */
export function sentenceOf(told: Told, { say }: DeskSpeech): string {
  const name = told.visitor_name ?? told.visitor_email ?? say('somebody');
  const by = told.by_name ?? say('foyer_itself');
  switch (told.kind) {
    case 'chat_message':
      return told.count > 1 ? say('chat_messages', { name, count: told.count }) : name;
    case 'ticket_assigned':
    case 'ticket_reply':
      return say(told.kind, { name, by, id: String(told.ticket_id) });
    default:
      return say(told.kind, { name, by });
  }
}

const isDeskLanguage = (language: string): language is DeskLanguage =>
  DESK_LANGUAGES.some((known) => known === language);

/** What the agent has chosen; else the language of the site, if the desk speaks it. */
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
