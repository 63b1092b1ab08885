import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

interface Waiting {
  chatsWaiting: number;
  longestWaitS: number;
  deliveriesPending: number;
  deliveriesDead: number;
  jobs: readonly { name: string; queued: number; active: number; failed: number }[];
}

export interface MetricsOptions {
  openSockets(): number;
  connections(): { total: number; idle: number; requested: number };
  /** What is waiting in the whole installation; undefined if it can't be counted now. */
  backlog(): Promise<Waiting | undefined>;
}

/**
 * Registers `/metrics` in Prometheus' text format: figures of this process, and the backlog of the whole
 * installation.
 */
export function registerMetrics(server: FastifyInstance, options: MetricsOptions): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  measureRequests(server, registry);
  measureProcess(registry, options);
  measureBacklog(registry, options);
  server.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

function measureRequests(server: FastifyInstance, registry: Registry): void {
  // Counted here and copied when metrics are read: a counter with labels looks them up for each request.
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
  server.addHook('onResponse', (request, reply, done) => {
    const byStatus = counted.get(request.method) ?? new Map<number, number>();
    counted.set(request.method, byStatus);
    byStatus.set(reply.statusCode, (byStatus.get(reply.statusCode) ?? 0) + 1);
    seconds.observe(reply.elapsedTime / 1000);
    done();
  });
}

function measureProcess(registry: Registry, { openSockets, connections }: MetricsOptions): void {
  new Gauge({
    name: 'foyer_sockets_open',
    help: 'Open sockets of visitors and agents',
    registers: [registry],
    collect() {
      this.set(openSockets());
    },
  });
  new Gauge({
    name: 'foyer_database_connections',
    help: 'Connections of the pool by state; "requested" are callers that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle, requested } = connections();
      this.set({ state: 'used' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'requested' }, requested);
    },
  });
}

/**
 * While the database doesn't answer, these have no value, so that no alert mistakes an outage for an empty queue.
 */
function measureBacklog(registry: Registry, { backlog }: MetricsOptions): void {
  const gauge = (name: string, help: string, read: (waiting: Waiting) => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const waiting = await backlog();
        this.set(waiting ? read(waiting) : Number.NaN);
      },
    });
  };
  gauge('foyer_chats_waiting', 'Chats that wait for an agent', (waiting) => waiting.chatsWaiting);
  gauge(
    'foyer_chats_waiting_longest_seconds',
    'Wait of the chat that has waited longest',
    (waiting) => waiting.longestWaitS,
  );
  gauge(
    'foyer_webhook_deliveries_pending',
    'Webhook deliveries to send or to retry',
    (waiting) => waiting.deliveriesPending,
  );
  gauge(
    'foyer_webhook_deliveries_dead',
    'Webhook deliveries that failed for good and are still in the log',
    (waiting) => waiting.deliveriesDead,
  );
  new Gauge({
    name: 'foyer_jobs',
    help: 'Background jobs by name and state, counted every few seconds; "failed" are those of the last hour',
    // Not `job`, which Prometheus sets to the name of the scrape target.
    labelNames: ['name', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, ...states } of (await backlog())?.jobs ?? [])
        for (const [state, jobs] of Object.entries(states)) this.set({ name, state }, jobs);
    },
  });
}
