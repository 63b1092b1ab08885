import { fastify } from 'fastify';
import pg from 'pg';
import { answerParent } from './child.ts';

/**
 * The bare server of `lists.ts`: the least that gives the same answer. A Fastify route for each filter, one prepared
 * statement through a pool, and the rows shaped as the API shows them; no token, no limit, no other filter.
 */
interface Question {
  /** `filters`: the parameter of each route's statement, if it has one. */
  serve: { url: string; siteId: number; filters: Record<string, Record<string, string>> };
}

const CONNECTIONS = 10;
const PAGE = 25;

interface Row {
  id: number;
  subject: string;
  description: string;
  status: string;
  priority: string;
  key: string | null;
  name: string | null;
  email: string | null;
  assignee_id: number | null;
  assignee: string | null;
  team: unknown;
  tags: string[];
  fields: unknown;
  session_id: string | null;
  external_id: string | null;
  follow_up_of_id: number | null;
  snoozed_until: Date | null;
  created_at: Date;
  updated_at: Date;
  solved_at: Date | null;
  reply_count: number;
}

/** The newest tickets of a site (`$1`) that aren't snoozed, spam or under an SLA. */
const newest = (from: string, where: string, order = 't.created_at desc, t.id desc'): string => `
  select t.id, t.subject, t.description, t.status, t.priority, v.key, v.name,
    coalesce(t.requester_email, v.email) as email, t.assignee_id, a.name as assignee,
    (select json_build_object('id', m.id, 'name', m.name, 'emoji', m.emoji)
      from teams m where m.site_id = $1 and m.id = t.team_id) as team,
    array(select g.name from ticket_tags x join tags g on g.site_id = $1 and g.id = x.tag_id
      where x.site_id = $1 and x.ticket_id = t.id order by lower(g.name)) as tags,
    coalesce((select json_object_agg(f.key, x.value) from ticket_fields x join fields f on f.site_id = $1 and f.id = x.field_id
      where x.site_id = $1 and x.ticket_id = t.id), '{}') as fields,
    c.session_id, t.external_id, t.follow_up_of_id, t.snoozed_until, t.created_at, t.updated_at, t.solved_at,
    t.reply_count
  from (
    select t.* from ${from} where t.site_id = $1 and ${where} and not t.snoozed and t.spam_at is null
    order by ${order} limit ${PAGE}
  ) t
  join visitors v on v.site_id = $1 and v.id = t.requester_id
  left join agents a on a.site_id = $1 and a.id = t.assignee_id
  left join conversations c on c.site_id = $1 and c.id = t.conversation_id
  order by t.created_at desc, t.id desc`;

const BY_TAG = newest(
  'ticket_tags x join tickets t on t.site_id = x.site_id and t.id = x.ticket_id',
  'x.site_id = $1 and x.tag_id = (select id from tags where site_id = $1 and name = $2)',
  'x.created_at desc, x.ticket_id desc',
);
const BY_REQUESTER = newest(
  'visitors q join tickets t on t.site_id = q.site_id and t.requester_id = q.id',
  'q.site_id = $1 and q.key = $2 and q.erased_at is null',
);

const presented = (row: Row) => ({
  id: row.id,
  subject: row.subject,
  description: row.description,
  status: row.status,
  priority: row.priority,
  requester: { key: row.key, name: row.name, email: row.email },
  assignee: row.assignee_id === null ? null : { id: row.assignee_id, name: row.assignee },
  team: row.team,
  tags: row.tags,
  fields: row.fields,
  session_id: row.session_id,
  external_id: row.external_id,
  follow_up_of: row.follow_up_of_id,
  snoozed_until_utc: row.snoozed_until?.toISOString() ?? null,
  spam: null,
  sla: null,
  created_utc: row.created_at.toISOString(),
  updated_utc: row.updated_at.toISOString(),
  solved_utc: row.solved_at?.toISOString() ?? null,
  reply_count: row.reply_count,
});

answerParent<Question>(({ serve: { url, siteId, filters } }) => {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
  // PostgreSQL ends before this process.
  pool.on('error', () => undefined);
  const server = fastify();
  const route = (name: string, text: string): void => {
    const values = [siteId, ...Object.values(filters[name] ?? {})];
    server.get(`/${name}`, async () => {
      const { rows } = await pool.query<Row>({ name, text, values });
      return { ok: true, data: rows.map(presented) };
    });
  };
  route('none', newest('tickets t', 'true'));
  route('status', newest('tickets t', 't.status = $2'));
  route('assignee', newest('tickets t', 't.assignee_id = $2'));
  route('tag', BY_TAG);
  route('priority', newest('tickets t', 't.priority = $2'));
  route('requester', BY_REQUESTER);
  return server.listen({ host: '127.0.0.1', port: 0 });
});
