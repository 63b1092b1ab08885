import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentTracer, type Span } from '../base/spans.ts';

/** Addresses that probes and scrapers request every few seconds. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

/** The route instead of the address, which may contain a token. */
const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'unknown';

/** Makes each request a span, if tracing is on; it continues the caller's `traceparent`. */
export function traceRequests(server: FastifyInstance): void {
  if (!currentTracer()) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', (request, _reply, done) => {
    const route = routeOf(request);
    if (UNTRACED.has(route)) return done();
    const { traceparent } = request.headers;
    const span = currentTracer()?.start(`${request.method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : '',
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'foyer.request_id': request.id,
      },
    });
    if (!span) return done();
    spans.set(request, span);
    span.within(done);
  });
  // A body arrives in events of the connection, outside of the span.
  server.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.within(done);
    else done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    if (reply.statusCode >= 500) span?.fail();
    span?.end();
    done();
  });
}
