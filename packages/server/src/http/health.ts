import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../base/errors.ts';
import { sendData } from './answer.ts';

/** Calls report a database that is down within 10 s; probes need to know sooner. */
const READY_TIMEOUT_MS = 3_000;

interface HealthOptions {
  ping(): Promise<unknown>;
  openSockets(): number;
}

/** Registers `/healthz`, `/readyz` and `/metrics`. */
export function registerHealth(server: FastifyInstance, { ping, openSockets }: HealthOptions): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // Counted here and handed over when somebody asks: a counter with labels looks them up for each request.
  const counted = new Map<string, Map<number, number>>();
  new Counter({
    name: 'foyer_http_requests_total',
    help: 'HTTP requests by method and status',
    labelNames: ['method', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [method, byStatus] of counted)
        for (const [status, requests] of byStatus) this.inc({ method, status }, requests);
    },
  });
  const seconds = new Histogram({
    name: 'foyer_http_request_seconds',
    help: 'Duration of HTTP requests',
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'foyer_sockets_open',
    help: 'Open sockets of visitors and agents',
    registers: [registry],
    collect() {
      this.set(openSockets());
    },
  });
  server.addHook('onResponse', (request, reply, done) => {
    const byStatus = counted.get(request.method) ?? new Map<number, number>();
    counted.set(request.method, byStatus);
    byStatus.set(reply.statusCode, (byStatus.get(reply.statusCode) ?? 0) + 1);
    seconds.observe(reply.elapsedTime / 1000);
    done();
  });

  server.get('/healthz', (_request, reply) => sendData(reply, { status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('timeout')), READY_TIMEOUT_MS).unref();
    });
    await Promise.race([ping(), late]).catch((error) => {
      throw new AppError('unavailable', 'The database is unavailable.', { cause: error });
    });
    return sendData(reply, { status: 'ready' });
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
