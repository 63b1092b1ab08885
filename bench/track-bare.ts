import { fastify } from 'fastify';
import { openDatabase } from '../packages/server/src/db/database.ts';
import { answerParent } from './child.ts';

/** The bare server of `track.ts`: the insert of the event, and nothing else, through the server's kind of pool. */
interface Question {
  serve: { database: string; siteId: number; visitorIds: number[]; path: string };
}

const INSERT = `insert into visitor_events (site_id, visitor_id, name, properties, occurred_at, created_at)
  values ($1, $2, $3, $4, $5, $5) returning id`;

answerParent<Question>(({ serve: { database, siteId, visitorIds, path } }) => {
  const { pool } = openDatabase(database);
  const server = fastify();
  let at = 0;
  server.post<{ Body: { key: string; name: string; properties: object } }>(path, async (request, reply) => {
    const { key, name, properties } = request.body;
    const now = new Date();
    const visitorId = visitorIds[at++ % visitorIds.length];
    const { rows } = await pool.query<{ id: number }>({
      name: 'insert',
      text: INSERT,
      values: [siteId, visitorId, name, JSON.stringify(properties), now],
    });
    reply.code(201);
    return {
      ok: true,
      data: { event_id: rows[0]?.id, key, name, created_utc: now.toISOString() },
      request_id: 'req_0123456789ABCDEF',
    };
  });
  return server.listen({ host: '127.0.0.1', port: 0 });
});
