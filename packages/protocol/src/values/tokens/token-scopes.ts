type Right = 'read' | 'write';
const BOTH = ['read', 'write'] as const;
const READ = ['read'] as const;
const WRITE = ['write'] as const;

/** The REST resources that a token can be limited to, and what can be done with each. `whoami` is open to every token. */
export const TOKEN_RESOURCES = {
  visitors: BOTH,
  track: WRITE,
  segments: BOTH,
  tickets: BOTH,
  ticket_reply: WRITE,
  ticket_snooze: WRITE,
  tickets_bulk: WRITE,
  portal_token: BOTH,
  exports: READ,
  tags: BOTH,
  macros: BOTH,
  saved_views: BOTH,
  rules: BOTH,
  rule_runs: READ,
  rule_trials: READ,
  conversations: BOTH,
  conversation_messages: BOTH,
  conversation_notes: BOTH,
  conversation_snooze: WRITE,
  conversation_typing: WRITE,
  conversation_read: WRITE,
  teams: BOTH,
  fields: BOTH,
  sla_policies: BOTH,
  proactive_messages: BOTH,
  handoffs: READ,
  transcripts: READ,
  feedback: READ,
  spam: BOTH,
  redactions: WRITE,
  articles: BOTH,
  conversation_starters: BOTH,
  knowledge_sources: BOTH,
  mailboxes: BOTH,
  received_mails: BOTH,
  sent_mails: READ,
  blocked_senders: BOTH,
  blocks: BOTH,
  webhook_subscriptions: BOTH,
  webhook_deliveries: BOTH,
  reports: READ,
  usage: READ,
  processing_record: READ,
} as const satisfies Record<string, readonly Right[]>;

export type TokenResource = keyof typeof TOKEN_RESOURCES;
export type ResourceScope = `${TokenResource}:${Right}`;
export type TokenScope = Right | ResourceScope;

/** What every token may do with it, whatever its scopes are. */
export const OPEN_RESOURCE = 'whoami';

const isResource = (name: string): name is TokenResource => Object.hasOwn(TOKEN_RESOURCES, name);

/** A scope that concerns one resource; undefined if there is none of that name. */
function resourceScope(text: string): ResourceScope | undefined {
  const [name = '', right = '', more] = text.split(':');
  if (more !== undefined || !isResource(name)) return undefined;
  const rights: readonly string[] = TOKEN_RESOURCES[name];
  return rights.includes(right) ? (text as ResourceScope) : undefined;
}

export const isResourceScope = (scope: string): scope is ResourceScope => scope.includes(':');

/**
 * Scopes as people and programs write them: `read`, `read,write`, or resources such as `tickets:write,visitors:read`,
 * with `read` if the token may read everything besides. In the order of the resources, each once.
 * @returns undefined for anything else, such as an unknown resource
 */
export function parseScopes(text: string): TokenScope[] | undefined {
  const given = new Set(text.split(',').map((part) => part.trim()));
  if (given.delete('write')) return given.delete('read') && given.size === 0 ? ['read', 'write'] : undefined;
  const scopes: TokenScope[] = given.delete('read') ? ['read'] : [];
  for (const part of given) if (resourceScope(part) === undefined) return undefined;
  for (const name of Object.keys(TOKEN_RESOURCES))
    for (const right of BOTH)
      if (given.has(`${name}:${right}`)) scopes.push(`${name}:${right}` as TokenScope);
  return scopes.length > 0 ? scopes : undefined;
}
