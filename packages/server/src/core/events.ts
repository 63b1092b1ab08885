import { createCounter } from '../base/counters.ts';
import { Changes, isRecorded, partOf } from './changes.ts';
import type { Change, DomainEvent, EmitScope, Notice } from './domain-event.ts';
import { recordEvent } from './event-record.ts';
import { countSecurityEvent, securityEventOf } from './security-events.ts';

const messages = createCounter('foyer_messages_total', 'Messages stored by this process, by sender', [
  'sender',
]);

export interface Emitted {
  /** For a statement that records its own notices: see `DomainEvent.recorded`. */
  newChange(): Change;
  emit(scope: EmitScope, event: DomainEvent, afterCommit: (tell: () => void) => void): Promise<void>;
}

/**
 * The one way in which a change becomes known.
 * @param tell gets each notice after the commit, with its name in the outbox if it is there
 * @param options `toSyslog`: whether security events wait for a syslog server
 */
export function createEmitter(
  tell: (siteId: number, notice: Notice, part?: string) => void,
  { changes = new Changes(), toSyslog = false }: { changes?: Changes; toSyslog?: boolean } = {},
): Emitted {
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
        if (change) changes.settled(change);
        for (const [index, notice] of notices.entries()) {
          if (notice.kind === 'message' && notice.record) messages.add(1, notice.record.sender);
          tell(scope.siteId, notice, change && isRecorded(notice) ? partOf(change, index) : undefined);
        }
        if (delivers) tell(scope.siteId, { kind: 'deliveries' });
      });
    },
  };
}
