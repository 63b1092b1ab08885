import { createCounter } from '../base/counters.ts';
import { Changes, isRecorded, partOf } from './changes.ts';
import type { Change, DomainEvent, EmitScope, Notice } from './domain-event.ts';
import { recordEvent } from './event-record.ts';

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
 */
export function createEmitter(
  tell: (siteId: number, notice: Notice, part?: string) => void,
  changes = new Changes(),
): Emitted {
  return {
    newChange: () => changes.next(),
    async emit(scope, event, afterCommit) {
      const { notices = [], recorded } = event;
      const change = recorded ?? (notices.some(isRecorded) ? changes.next() : undefined);
      const delivers = await recordEvent(scope, event, recorded ? undefined : change);
      if (notices.length === 0 && !delivers) return;
      afterCommit(() => {
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
