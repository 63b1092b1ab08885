import { fastify } from 'fastify';
import { answerParent } from './child.ts';

/** The bare server of `whoami.ts`. */
interface Question {
  serve: { path: string; headers: Record<string, string>; body: string };
}

/** Headers that the HTTP server sets itself. */
const OWN = new Set(['date', 'connection', 'keep-alive', 'content-length']);

answerParent<Question>(({ serve: { path, headers, body } }) => {
  const server = fastify();
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)));
  const data: unknown = JSON.parse(body);
  server.get(path, (_request, reply) => reply.headers(sent).send(data));
  return server.listen({ host: '127.0.0.1', port: 0 });
});
