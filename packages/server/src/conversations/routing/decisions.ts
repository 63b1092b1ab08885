import type { AgentRef, RoutingDecision } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import type { StoredReasons } from '../../db/column-types.ts';

/** How many of a chat's newest decisions the desk shows. */
const SHOWN_MAX = 50;

/** Without a reason, for the kinds that need none. */
const NO_REASONS: StoredReasons = {
  by: null,
  open_chats: null,
  language: null,
  tags: [],
  team: null,
  fell_back: false,
};

export interface NewDecision {
  conversationId: number;
  agentId: number | null;
  reasons?: StoredReasons;
}

/**
 * Records decisions on chats in the caller's transaction, which also reports the chats.
 * @param at the time of the message that an agent has joined, by which the desk knows that they belong together
 */
export async function recordDecisions(
  tx: SiteContext,
  kind: RoutingDecision['kind'],
  decisions: readonly NewDecision[],
  at: Date = tx.now(),
): Promise<void> {
  if (decisions.length === 0) return;
  const rows = decisions.map(({ conversationId, agentId, reasons = NO_REASONS }) => ({
    conversation_id: conversationId,
    agent_id: agentId,
    reasons,
  }));
  await sql`
    insert into routing_decisions (site_id, conversation_id, kind, agent_id, reasons, created_at)
    select ${tx.site.id}, conversation_id, ${kind}, agent_id, reasons, ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (conversation_id bigint, agent_id bigint, reasons jsonb)`.execute(
    tx.db,
  );
}

interface DecisionRow extends Pick<RoutingDecision, 'id' | 'kind'> {
  agent: AgentRef | null;
  reasons: StoredReasons;
  created_at: Date;
}

/** What routing decided on a chat, oldest first; the newest ones. */
export async function listDecisions(
  { db, site }: SiteContext,
  conversationId: number,
): Promise<RoutingDecision[]> {
  const { rows } = await sql<DecisionRow>`
    select d.id, d.kind, d.reasons, d.created_at, (
      select json_build_object('id', a.id, 'name', a.name) from agents a
      where a.site_id = d.site_id and a.id = d.agent_id) as agent
    from routing_decisions d where d.site_id = ${site.id} and d.conversation_id = ${conversationId}
    order by d.id desc limit ${SHOWN_MAX}`.execute(db);
  return rows
    .map(({ id, kind, agent, reasons, created_at }) => ({
      id,
      kind,
      agent,
      ...reasons,
      created_utc: created_at.toISOString(),
    }))
    .reverse();
}
