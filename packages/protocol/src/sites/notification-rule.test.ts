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

describe('how an agent is told', () => {
  it('is by sound where they work, by push where they do not, and not at all where they look at it', () => {
    expect(waysBy({})).toEqual(['seen', 'sound', 'push', 'push']);
  });

  it('is by the sound of an open desk where no browser takes pushes', () => {
    expect(waysBy({ canPush: false })).toEqual(['seen', 'sound', 'sound', 'list']);
  });

  it('is by nothing but the list while they want quiet', () => {
    expect(waysBy({ quiet: true })).toEqual(['seen', 'list', 'list', 'list']);
  });

  it('is by mail once it was missed, and never to somebody who works at the desk', () => {
    expect(waysBy({ missed: true })).toEqual(['seen', 'list', 'mail', 'mail']);
    expect(waysBy({ missed: true, quiet: true })).toEqual(['seen', 'list', 'mail', 'mail']);
  });

  it('is never by a way that they did not choose', () => {
    const silent = { sound: false, push: false, mail: false };
    expect(waysBy({ ways: silent })).toEqual(['seen', 'list', 'list', 'list']);
    expect(waysBy({ ways: silent, missed: true })).toEqual(['seen', 'list', 'list', 'list']);
    expect(wayOf(facts({ missed: true, canMail: false }))).toBe('list');
  });
});
