import { describe, expect, it } from 'vitest';
import { COMMAND_IDS, commandOf, keysOf } from './commands.ts';

const press = (key: string, held: Partial<KeyboardEvent> = {}): string =>
  keysOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held } as KeyboardEvent);

describe('the keys of commands', () => {
  it('belong to one command each', () => {
    const keys = COMMAND_IDS.flatMap((id) => commandOf(id).keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are read from what is pressed, whatever the keyboard needs for a sign, and with caps lock too', () => {
    expect(press('?', { shiftKey: true })).toBe('?');
    expect(press('/', { shiftKey: true })).toBe('/');
    expect(press('X', { shiftKey: true })).toBe('shift x');
    expect(press('X')).toBe('x');
    expect(press('k', { metaKey: true })).toBe('ctrl k');
    expect(press('k', { altKey: true })).toBe('alt k');
  });
});
