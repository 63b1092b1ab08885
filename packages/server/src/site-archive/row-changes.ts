import { randomBytes } from 'node:crypto';
import { webhookSentence } from '@foyer/protocol/values/webhook-sentences';
import type { SiteContext } from '../core/context.ts';
import { withImagesOf } from '../knowledge/articles/images.ts';
import { pictureIn } from '../sites/pictures.ts';
import type { People } from './people.ts';

export type Row = Record<string, unknown>;
type Change = (row: Row, people: People, tx: SiteContext) => Row | Promise<Row>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : []);

/** `none`, and ids of unknown agents, stay as they are. */
const withAssignee = (value: Row, people: People): Row =>
  typeof value.assignee_id === 'number'
    ? { ...value, assignee_id: people.agentOf(value.assignee_id) }
    : value;

/** Measures whose subject is an agent, also those of a team. */
const isOfAgent = (measure: unknown): boolean =>
  typeof measure === 'string' && /^(agent_|sla_agents|ratings)/.test(measure);
const subjectNow = (subject: unknown, people: People): unknown =>
  subject === '' ? subject : String(people.agentOf(subject) ?? subject);

const SOLVED: readonly unknown[] = ['solved', 'closed'];

/** Pages show this picture: whatever type an archive claims, it must be an image here. */
const PICTURE_TYPES: readonly unknown[] = ['image/webp', 'image/png', 'image/jpeg', 'image/gif'];
const asPicture: Change = (row) =>
  PICTURE_TYPES.includes(row.content_type) ? row : { ...row, content_type: 'image/webp' };

/** A picture's path contains its site. */
export const withPicture = (row: Row, column: string, { site }: SiteContext): Row => {
  const name = row[column];
  return typeof name === 'string' ? { ...row, [column]: pictureIn(site.id, name) } : row;
};
const withImages =
  (column: string): Change =>
  (row, _people, { site }) => {
    const text = row[column];
    return typeof text === 'string' ? { ...row, [column]: withImagesOf(site.id, text) } : row;
  };

/** How rows must change to be correct in another site. */
export const ROW_CHANGES: Readonly<Record<string, Change>> = {
  pictures: (row, people, tx) => asPicture(withPicture(row, 'name', tx), people, tx),
  article_images: asPicture,
  articles: withImages('body'),
  article_versions: withImages('body'),
  article_drafts: withImages('body'),
  deleted_articles: withImages('body'),
  deleted_article_versions: withImages('body'),
  training_rows: withImages('answer'),
  // Files that wait to be read aren't in the archive; pages are read here.
  knowledge_documents: (row) =>
    row.state === 'ready' || row.due === true
      ? row
      : { ...row, state: 'failed', problem: row.problem ?? 'file_gone' },
  agents: (row, people, tx) => people.addAgent(tx, withPicture(row, 'picture', tx)),
  api_tokens: (row, people) => people.addToken(row),
  // The archive's agents have no access here: chats that a person had wait for another, and open tickets are
  // unassigned.
  conversations: (row) =>
    row.status === 'active'
      ? {
          ...row,
          status: 'waiting',
          agent_id: null,
          waiting_since: row.last_message_at ?? row.started_at,
          unanswered_since: row.unanswered_since ?? row.last_message_at ?? row.started_at,
        }
      : row,
  tickets: (row) => ({
    ...row,
    // Archives of earlier versions don't have it.
    last_activity_at: row.last_activity_at ?? row.updated_at ?? row.created_at,
    ...(SOLVED.includes(row.status) ? {} : { assignee_id: null }),
  }),
  macros: (row, people) => ({
    ...row,
    actions: rowsIn(row.actions)
      .map((action) => withAssignee(action, people))
      .filter((action) => action.assignee_id !== null || action.type !== 'assign'),
  }),
  saved_views: (row, people) => {
    const filter = isRow(row.filter) ? withAssignee(row.filter, people) : row.filter;
    return { ...row, filter };
  },
  report_days: (row, people) =>
    isOfAgent(row.measure) ? { ...row, subject: subjectNow(row.subject, people) } : row,
  report_contributions: (row, people) => ({
    ...row,
    counts: (Array.isArray(row.counts) ? row.counts : []).map((count: unknown) =>
      Array.isArray(count) && isOfAgent(count[0])
        ? [count[0], count[1], subjectNow(count[2], people), ...count.slice(3)]
        : count,
    ),
  }),
  audit_entries: ({ id: _, ...row }, people) => ({
    ...row,
    actor_id:
      row.actor_kind === 'agent'
        ? people.agentOf(row.actor_id)
        : row.actor_kind === 'token'
          ? people.tokenOf(row.actor_id)
          : row.actor_id,
  }),
  // The values of its headers are in no archive: without them it would make calls without a key.
  actions: (row, _people, tx) => ({ ...row, disabled_at: row.disabled_at ?? tx.now().toISOString() }),
  webhook_subscriptions: (row, _people, tx) => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    return {
      ...row,
      secret_cipher: `\\x${tx.services.vault.seal(secret).toString('hex')}`,
      secret_hint: secret.slice(-4),
      disabled_at: row.disabled_at ?? tx.now().toISOString(),
      disabled_reason: webhookSentence('from_archive'),
    };
  },
};
