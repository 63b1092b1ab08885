import { createCounter } from '../base/counters.ts';
import { Changes, isRecorded, partOf } from './changes.ts';
import type { Change, DomainEvent, EmitScope, Notice } from './domain-event.ts';
import { type PlainEvent, recordTogether } from './event-batch.ts';
import { recordEvent } from './event-record.ts';
import { countSecurityEvent, securityEventOf } from './security-events.ts';

const messages = createCounter('foyer_messages_total', 'Messages stored by this process, by sender', [
  'sender',
]);

export interface Emitted {
  /** For a statement that records its own notices: see `DomainEvent.recorded`. */
  newChange(): Change;
  emit(scope: EmitScope, event: DomainEvent, afterCommit: (tell: () => void) => void): Promise<void>;
  /** Several at once, none of which is a security event. */
  emitAll(
    scope: EmitScope,
    events: readonly PlainEvent[],
    afterCommit: (tell: () => void) => void,
  ): Promise<void>;
}

/**
 * The only way to report a change.
 * @param tell gets each notice after the commit, with its name in the outbox if it is there
 * @param options `toSyslog`: whether security events wait for a syslog server
 */
export function createEmitter(
  tell: (siteId: number, notice: Notice, part?: string) => void,
  { changes = new Changes(), toSyslog = false }: { changes?: Changes; toSyslog?: boolean } = {},
): Emitted {
  const announce = (
    siteId: number,
    notices: readonly Notice[],
    { change, delivers }: { change: Change | undefined; delivers: boolean },
  ): void => {
    if (change) changes.settled(change);
    for (const [index, notice] of notices.entries()) {
      if (notice.kind === 'message' && notice.record) messages.add(1, notice.record.sender);
      tell(siteId, notice, change && isRecorded(notice) ? partOf(change, index) : undefined);
    }
    if (delivers) tell(siteId, { kind: 'deliveries' });
  };
  return {
    newChange: () => changes.next(),
    async emit(scope, event, afterCommit) {
      const { notices = [], recorded } = event;
      const change = recorded ?? (notices.some(isRecorded) ? changes.next() : undefined);
      const security = event.audit && securityEventOf(scope, event.audit);
      const recordedNow = recorded ? undefined : change;
      const delivers = await recordEvent(scope, event, { change: recordedNow, security, toSyslog });
      if (notices.length === 0 && !delivers && !security) return;
      afterCommit(() => {
        if (security) countSecurityEvent(security);
        announce(scope.siteId, notices, { change, delivers });
      });
    },
    async emitAll(scope, events, afterCommit) {
      const notices = events.flatMap((event) => event.notices ?? []);
      const change = notices.some(isRecorded) ? changes.next() : undefined;
      const isHeard = await recordTogether(scope, events, change);
      let delivers = false;
      // One at a time, because each looks up its receivers; most sites have none.
      for (const { webhook } of isHeard ? events : [])
        if (
          webhook &&
          (await recordEvent(scope, { webhook }, { change: undefined, security: undefined, toSyslog }))
        )
          delivers = true;
      afterCommit(() => announce(scope.siteId, notices, { change, delivers }));
    },
  };
}
