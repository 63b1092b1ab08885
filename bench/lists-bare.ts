import { fastify } from 'fastify';
import { openDatabase } from '../packages/server/src/db/database.ts';
import { answerParent } from './child.ts';

/** The bare server of `lists.ts`: each path runs its recorded statements through the server's kind of pool. */
interface Question {
  serve: { url: string; routes: Record<string, { text: string; values: unknown[] }[]> };
}

answerParent<Question>(({ serve: { url, routes } }) => {
  const { pool } = openDatabase(url);
  const server = fastify();
  for (const [path, statements] of Object.entries(routes)) {
    server.get(path, async () => {
      let data: unknown[] = [];
      for (const { text, values } of statements) data = (await pool.query(text, values)).rows;
      return { ok: true, data };
    });
  }
  return server.listen({ host: '127.0.0.1', port: 0 });
});
