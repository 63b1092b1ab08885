import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { allCounters } from '../../base/counters.ts';
import { createMetricsAccess } from './metrics-access.ts';

interface JobCounts {
  name: string;
  /** Waiting for a worker, or for their next attempt. */
  queued: number;
  active: number;
  /** Failed for good within the last hour. */
  failed: number;
  /** How long the next job has been due; 0 if none is. */
  overdueS: number;
}

/** The backlog of the whole installation. Counts are at most 10,000. */
export interface Backlog {
  chatsWaiting: number;
  /** The longest waiting time of a chat; 0 without one. */
  longestWaitS: number;
  /** Of all sites, by state. */
  mailboxes: Readonly<Record<'reading' | 'failing' | 'connecting' | 'paused', number>>;
  /** How long ago the mailbox was checked that has waited longest; 0 without one that is fetched. */
  mailboxUncheckedS: number;
  /** Received, and not processed yet. */
  mailsWaiting: number;
  deliveriesPending: number;
  deliveriesDead: number;
  /** For each kind of work that becomes due: for how long the first unfinished item has been due; 0 without one. */
  overdueS: Readonly<Record<string, number>>;
  /** Changes that reports don't show yet. */
  reportMarks: number;
  /** How old the first message is that search can't find yet; 0 if it finds all. */
  searchLagS: number;
  /** Sites whose records from before an upgrade are still being counted or indexed. */
  backFilling: number;
  /** The share of PostgreSQL's queue of notices that is used; at 1, no process can notify any other. */
  notifyQueue: number;
  /** Whether PostgreSQL's last attempt to archive its log failed; false also where it doesn't archive. */
  archivingFails: boolean;
  jobs: JobCounts[];
}

export interface MetricsOptions {
  /** FOYER_METRICS_TOKEN; without one, private networks may read. */
  token: string | undefined;
  version: string;
  /** By their kind. */
  openSockets(): Readonly<Record<'visitor' | 'agent', number>>;
  /** Undefined without Redis. */
  isRedisUp(): boolean | undefined;
  /** Undefined without a replica. */
  replica(): { isUp: boolean; lagS: number } | undefined;
  connections(): { total: number; idle: number; requested: number };
  /** Undefined where this process makes no backups. */
  backups(): { lastAt: Date | undefined; isFailing: boolean } | undefined;
  /** The backlog of the whole installation; undefined if it can't be counted now. */
  backlog(): Promise<Backlog | undefined>;
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
  measureJobs(registry, options);
  measureMailboxes(registry, options);
  measureBackups(registry, options);
  const assertAllowed = createMetricsAccess(options.token);
  server.get('/metrics', async (request, reply) => {
    assertAllowed(request);
    registerCounters(registry);
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** The counters of modules that were loaded since the last time are new. */
function registerCounters(registry: Registry): void {
  for (const { name, help, labels, counted } of allCounters()) {
    if (registry.getSingleMetric(name)) continue;
    new Counter({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const [values, count] of counted())
          this.inc(Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ''])), count);
      },
    });
  }
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

function measureProcess(
  registry: Registry,
  { version, openSockets, connections, isRedisUp, replica }: MetricsOptions,
): void {
  new Gauge({
    name: 'foyer_build_info',
    help: 'Always 1; the version is a label',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
  new Gauge({
    name: 'foyer_sockets_open',
    help: 'Open sockets by kind: visitor or agent',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      for (const [kind, open] of Object.entries(openSockets())) this.set({ kind }, open);
    },
  });
  new Gauge({
    name: 'foyer_redis_up',
    help: 'Whether Redis answers this process: 1 or 0; no value without Redis',
    registers: [registry],
    collect() {
      this.set(Number(isRedisUp() ?? Number.NaN));
    },
  });
  new Gauge({
    name: 'foyer_replica_up',
    help: 'Whether the replica answers reads of this process: 1, or 0 while it is down or behind; no value without one',
    registers: [registry],
    collect() {
      this.set(Number(replica()?.isUp ?? Number.NaN));
    },
  });
  new Gauge({
    name: 'foyer_replica_lag_seconds',
    help: 'How old what the replica shows is at most; no value without one',
    registers: [registry],
    collect() {
      this.set(replica()?.lagS ?? Number.NaN);
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

function measureBackups(registry: Registry, { backups }: MetricsOptions): void {
  new Gauge({
    name: 'foyer_backup_last_timestamp_seconds',
    help: 'When the newest backup was made; no value in processes that make none',
    registers: [registry],
    collect() {
      this.set((backups()?.lastAt?.getTime() ?? Number.NaN) / 1_000);
    },
  });
  new Gauge({
    name: 'foyer_backup_failing',
    help: 'Whether the last attempt to make a backup failed: 1 or 0; no value in processes that make none',
    registers: [registry],
    collect() {
      this.set(Number(backups()?.isFailing ?? Number.NaN));
    },
  });
}

/**
 * While the database doesn't answer, these have no value, so that no alert mistakes an outage for an empty queue.
 */
const gaugesOf =
  (registry: Registry, { backlog }: MetricsOptions) =>
  (name: string, help: string, read: (waiting: Backlog) => number): void => {
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

function measureBacklog(registry: Registry, options: MetricsOptions): void {
  const gauge = gaugesOf(registry, options);
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
  gauge(
    'foyer_report_marks',
    'Changed chats and tickets that reports have not counted yet',
    (waiting) => waiting.reportMarks,
  );
  gauge(
    'foyer_search_lag_seconds',
    'Age of the oldest message that search has not indexed',
    (waiting) => waiting.searchLagS,
  );
  gauge(
    'foyer_back_filling_sites',
    'Sites whose records from before an upgrade are still being counted or indexed',
    (waiting) => waiting.backFilling,
  );
  gauge(
    'foyer_notify_queue_usage',
    'Used share of the queue of NOTIFY, from 0 to 1',
    (waiting) => waiting.notifyQueue,
  );
  gauge(
    'foyer_wal_archiving_fails',
    '1 if the last attempt of PostgreSQL to archive its write-ahead log failed',
    (waiting) => (waiting.archivingFails ? 1 : 0),
  );
}

/** Without a value while the database doesn't answer, like the others. */
function measureJobs(registry: Registry, { backlog }: MetricsOptions): void {
  new Gauge({
    name: 'foyer_jobs',
    help: 'Background jobs by name and state, counted every few seconds; "failed" are those of the last hour',
    // Not `job`, which Prometheus sets to the name of the scrape target.
    labelNames: ['name', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, overdueS: _, ...states } of (await backlog())?.jobs ?? [])
        for (const [state, jobs] of Object.entries(states)) this.set({ name, state }, jobs);
    },
  });
  new Gauge({
    name: 'foyer_job_overdue_seconds',
    help: 'How long the next background job of a name has been due',
    labelNames: ['name'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, overdueS } of (await backlog())?.jobs ?? []) this.set({ name }, overdueS);
    },
  });
  new Gauge({
    name: 'foyer_overdue_seconds',
    help: 'How long the oldest work of a kind that is due at a time has been due',
    labelNames: ['work'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [work, seconds] of Object.entries((await backlog())?.overdueS ?? {}))
        this.set({ work }, seconds);
    },
  });
}

function measureMailboxes(registry: Registry, options: MetricsOptions): void {
  const gauge = gaugesOf(registry, options);
  gauge(
    'foyer_mailbox_unchecked_seconds',
    'Time since the last successful check of the mailbox that has waited longest for one',
    (waiting) => waiting.mailboxUncheckedS,
  );
  gauge(
    'foyer_mails_waiting',
    'Received mails that are not processed yet',
    (waiting) => waiting.mailsWaiting,
  );
  new Gauge({
    name: 'foyer_mailboxes',
    help: 'Mailboxes by state: reading, failing, connecting (not checked yet), paused',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const [state, mailboxes] of Object.entries((await options.backlog())?.mailboxes ?? {}))
        this.set({ state }, mailboxes);
    },
  });
}
