import { describe, expect, it } from 'vitest';
import { COMMAND_IDS, commandOf, keySequence, keysOf } from './commands.ts';

const press = (key: string, held: Partial<KeyboardEvent> = {}): string =>
  keysOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held } as KeyboardEvent);

describe('the keys of commands', () => {
  it('belong to only one command each', () => {
    const keys = COMMAND_IDS.flatMap((id) => commandOf(id).keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('can be a quick sequence of two; an unknown second key does nothing', () => {
    const read = keySequence();
    const at = (key: string, timeStamp: number) =>
      read({
        key,
        timeStamp,
        ctrlKey: false,
        metaKey: false,
        shiftKey: false,
        altKey: false,
      } as KeyboardEvent);
    expect([at('g', 0), at('i', 900)]).toEqual(['g', 'g i']);
    expect(at('i', 950), 'the next key is its own').toBe('i');
    expect([at('g', 2_000), at('e', 2_100)]).toEqual(['g', 'g e']);
    expect([at('g', 3_000), at('Shift', 3_100), at('e', 9_000)]).toEqual(['g', undefined, 'e']);
    expect(COMMAND_IDS.some((id) => ['g', 'g e'].includes(commandOf(id).keys ?? ''))).toBe(false);
  });

  it('are read from the character, whatever keys it takes on a keyboard, even with caps lock', () => {
    expect(press('?', { shiftKey: true })).toBe('?');
    expect(press('/', { shiftKey: true })).toBe('/');
    expect(press('X', { shiftKey: true })).toBe('shift x');
    expect(press('X')).toBe('x');
    expect(press('k', { metaKey: true })).toBe('ctrl k');
    expect(press('k', { altKey: true })).toBe('alt k');
  });
});
