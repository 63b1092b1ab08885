import { describe, expect, it } from 'vitest';
import { type Attention, type NotificationFacts, wayOf } from './notification-rule.ts';

const ATTENTIONS: Attention[] = ['looking', 'active', 'open', 'gone'];
const facts = (parts: Partial<NotificationFacts> = {}): NotificationFacts => ({
  attention: 'gone',
  ways: { sound: true, push: true, mail: true },
  quiet: false,
  canPush: true,
  canMail: true,
  missed: false,
  ...parts,
});
const waysBy = (parts: Partial<NotificationFacts>) =>
  ATTENTIONS.map((attention) => wayOf(facts({ ...parts, attention })));

describe('a notification of an agent', () => {
  it('is a sound at a desk in use, otherwise a push, and nothing if they are looking at it', () => {
    expect(waysBy({})).toEqual(['seen', 'sound', 'push', 'push']);
  });

  it('is the sound of an open desk if no browser accepts pushes', () => {
    expect(waysBy({ canPush: false })).toEqual(['seen', 'sound', 'sound', 'list']);
  });

  it('is only in the list during quiet times', () => {
    expect(waysBy({ quiet: true })).toEqual(['seen', 'list', 'list', 'list']);
  });

  it('is a mail once it was missed, and never for somebody who works at the desk', () => {
    expect(waysBy({ missed: true })).toEqual(['seen', 'list', 'mail', 'mail']);
    expect(waysBy({ missed: true, quiet: true })).toEqual(['seen', 'list', 'mail', 'mail']);
  });

  it('never uses a channel that they did not choose', () => {
    const silent = { sound: false, push: false, mail: false };
    expect(waysBy({ ways: silent })).toEqual(['seen', 'list', 'list', 'list']);
    expect(waysBy({ ways: silent, missed: true })).toEqual(['seen', 'list', 'list', 'list']);
    expect(wayOf(facts({ missed: true, canMail: false }))).toBe('list');
  });
});
