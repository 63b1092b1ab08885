import { DAY_MS, HOUR_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createCounter } from '../base/counters.ts';
import type { Db } from '../db/database.ts';
import type { Chore } from '../jobs/schedule.ts';
import type { SyslogAddress } from './address.ts';
import { openSyslog } from './connection.ts';
import { type StoredEvent, syslogMessage } from './format.ts';

const EVERY_MS = 1_000;
const BATCH = 500;
/** A server that is away this long doesn't get the earlier events; the audit log has them. */
const KEPT_MS = 7 * DAY_MS;

const sent = createCounter('foyer_syslog_sent_total', 'Security events sent to the syslog server');
const dropped = createCounter(
  'foyer_syslog_dropped_total',
  'Security events that were never sent, because the syslog server was away for seven days',
);

interface ForwardOptions {
  db: Db;
  log: Logger;
  now(): Date;
  /** Undefined: nothing is sent, and events recorded for an earlier server are deleted in time. */
  address: SyslogAddress | undefined;
  /** The installation's name in messages. */
  host: string;
}

export interface SyslogForwarding {
  chore: Chore;
  stop(): void;
}

/**
 * Sends security events in their order. Each stays in the database until the system has taken it, so a process that dies
 * loses none and may send one again, with the same id.
 */
export function createSyslogForwarding({ db, log, now, address, host }: ForwardOptions): SyslogForwarding {
  const connection = address && openSyslog(address);
  let isFailing = false;
  /** @returns how many it sent */
  const sendBatch = (): Promise<number> =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<StoredEvent>`
        select site_id as "siteId", id, event, created_at as at from security_outbox
        order by created_at, id limit ${BATCH} for update skip locked`.execute(tx);
      if (rows.length === 0) return 0;
      await connection?.send(rows.map((row) => syslogMessage(row, host)));
      await sql`
        delete from security_outbox s using unnest(${rows.map(({ siteId }) => siteId)}::bigint[],
          ${rows.map(({ id }) => id)}::bigint[]) as n (site_id, id)
        where s.site_id = n.site_id and s.id = n.id`.execute(tx);
      return rows.length;
    });
  const dropOld = async (): Promise<void> => {
    const before = new Date(now().getTime() - KEPT_MS);
    const { numAffectedRows = 0n } = await sql`
      delete from security_outbox where created_at < ${before}`.execute(db);
    dropped.add(Number(numAffectedRows));
  };
  const forward = async (): Promise<void> => {
    try {
      for (let count = BATCH; count === BATCH; ) {
        count = await sendBatch();
        sent.add(count);
      }
      if (isFailing) log.info('the syslog server takes security events again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'security events could not be sent to the syslog server');
      isFailing = true;
      await dropOld();
    }
  };
  return {
    chore: {
      name: 'security.syslog',
      everyMs: connection ? EVERY_MS : HOUR_MS,
      run: connection ? forward : dropOld,
    },
    stop: () => connection?.close(),
  };
}
