import { TICKET_STATUSES, type TicketStatus } from '@foyer/protocol';
import { describe, expect, it, test } from 'vitest';
import { answered, changeByHand, checkPublicReply, checkSnooze, settled, touched, woken } from './states.ts';

const pairs = TICKET_STATUSES.flatMap((from) => TICKET_STATUSES.map((to) => [from, to] as const));

/** Line by line from docs/contract/decisions.md#ticket-states, not from the code. */
const ALLOWED: Record<TicketStatus, string> = {
  new: 'new open pending hold solved',
  open: 'open pending hold solved',
  pending: 'open pending hold solved',
  hold: 'open pending hold solved',
  solved: 'open pending hold solved',
  closed: 'closed',
};

describe('by hand', () => {
  it.each(pairs.filter(([from, to]) => ALLOWED[from].split(' ').includes(to)))(
    '%s may become %s',
    (from, to) => {
      expect(changeByHand(from, to)).toBe(to);
    },
  );

  it.each(pairs.filter(([from, to]) => !ALLOWED[from].split(' ').includes(to)))(
    '%s may not become %s, and the refusal names both',
    (from, to) => {
      expect(() => changeByHand(from, to)).toThrow(
        expect.objectContaining({
          code: 'conflict',
          status: 409,
          message: `A ticket can’t go from ${from} to ${to}.`,
        }),
      );
    },
  );
});

test.each([
  ['new', 'open', 'new', 'open', 'open'],
  ['open', 'open', 'open', 'open', 'open'],
  ['pending', 'pending', 'open', 'open', 'open'],
  ['hold', 'hold', 'open', 'open', 'open'],
  ['solved', 'solved', 'open', 'open', 'open'],
  ['closed', 'closed', 'follow_up', 'follow_up', 'closed'],
] as const)(
  '%s becomes %s by a reply or assignment of the team, %s by its requester’s reply, %s by that to a snoozed one, %s on waking',
  (from, byTouch, byReply, byReplyWhileSnoozed, onWaking) => {
    expect(touched(from)).toBe(byTouch);
    expect(answered(from, false)).toBe(byReply);
    expect(answered(from, true)).toBe(byReplyWhileSnoozed);
    expect(woken(from)).toBe(onWaking);
  },
);

test.each(TICKET_STATUSES)(
  '%s can be snoozed unless it is done, and answered unless it is closed',
  (from) => {
    const conflict = expect.objectContaining({
      status: 409,
      message: expect.stringMatching(`${from}.*open`),
    });
    if (from === 'solved' || from === 'closed') expect(() => checkSnooze(from)).toThrow(conflict);
    else expect(() => checkSnooze(from)).not.toThrow();
    if (from === 'closed') expect(() => checkPublicReply(from)).toThrow(conflict);
    else expect(() => checkPublicReply(from)).not.toThrow();
  },
);

describe('the times that depend on a status', () => {
  const earlier = new Date('2026-01-01T00:00:00Z');
  const now = new Date('2026-02-01T00:00:00Z');
  const later = new Date('2026-03-01T00:00:00Z');

  it.each(pairs)('from %s to %s the time of its solution is set, kept or cleared', (from, to) => {
    const done = (status: TicketStatus) => status === 'solved' || status === 'closed';
    const before = {
      status: from,
      solved_at: done(from) ? earlier : null,
      snoozed_until: done(from) ? null : later,
    };
    expect(settled(before, to, now)).toEqual({
      status: to,
      solved_at: done(to) ? (done(from) ? earlier : now) : null,
      snoozed_until: done(to) ? null : before.snoozed_until,
    });
  });
});
