import type { EventChannel, ReplyAuthor } from '@foyer/protocol';
import type { Actor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';

/** Written by the requester or another participant by email: the team has to answer. */
export const isFromOutside = ({ type }: Pick<ReplyAuthor, 'type'>): boolean =>
  type === 'requester' || type === 'participant';

/** The clock and the command line act for no person. */
const SYSTEM: ReplyAuthor = { type: 'system', id: null, name: 'System' };

/** The caller as the author in a ticket's replies and events. */
export async function authorOf({ actor, db, site }: SiteContext): Promise<ReplyAuthor> {
  switch (actor.kind) {
    case 'agent':
      return { type: 'agent', id: actor.agentId, name: actor.name };
    case 'token': {
      const token = await db
        .selectFrom('api_tokens')
        .select('name')
        .where('site_id', '=', site.id)
        .where('id', '=', actor.tokenId)
        .executeTakeFirst();
      return { type: 'token', id: actor.tokenId, name: token?.name ?? '' };
    }
    case 'visitor': {
      const visitor = await db
        .selectFrom('visitors')
        .select('name')
        .where('site_id', '=', site.id)
        .where('id', '=', actor.visitorId)
        .executeTakeFirst();
      return { type: 'requester', id: null, name: visitor?.name ?? '' };
    }
    case 'operator':
    case 'job':
      return SYSTEM;
  }
}

/** How an actor writes in tickets, unless something came by email or from a chat. */
export function channelOf({ kind }: Actor): EventChannel {
  if (kind === 'visitor') return 'portal';
  return kind === 'token' || kind === 'operator' ? 'api' : 'desk';
}
