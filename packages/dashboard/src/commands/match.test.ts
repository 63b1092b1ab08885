import { describe, expect, it } from 'vitest';
import { bestFirst, matchOf } from './match.ts';

describe('text that is typed into the palette', () => {
  it('finds a label by the beginnings of its words, in any order, and by any part of it', () => {
    expect(matchOf('Assign to somebody', 'as')).toBe(3);
    expect(matchOf('Assign to somebody', 'some ass')).toBe(2);
    expect(matchOf('Assign to somebody', 'body')).toBe(1);
    expect(matchOf('Assign to somebody', 'solve')).toBe(0);
  });

  it('need not be written with its accents or capitals', () => {
    expect(matchOf('Übersicht der Tastenkürzel', 'ubersicht')).toBe(3);
    expect(matchOf('Übersicht der Tastenkürzel', 'TASTENKÜRZEL')).toBe(2);
  });

  it('keeps the order while it is blank, and finds nothing by punctuation alone', () => {
    expect(bestFirst(['b', 'a'], '  ', String)).toEqual(['b', 'a']);
    expect(bestFirst(['b', 'a'], '(.*', String)).toEqual([]);
  });

  it('ranks labels that begin with it first', () => {
    expect(bestFirst(['Set to open', 'Open', 'Reopen'], 'open', String)).toEqual([
      'Open',
      'Set to open',
      'Reopen',
    ]);
  });
});
