import { expect, test } from 'vitest';
import { readTimeOfDay, timeOfDay } from './clock-text.ts';

test('a time of day is parsed as people write it, on both clocks and in both languages', () => {
  const read = {
    '9': '09:00',
    '9:30': '09:30',
    '17.30': '17:30',
    '9 Uhr': '09:00',
    '5 PM': '17:00',
    '5:15pm': '17:15',
  };
  for (const [written, clock] of Object.entries(read)) expect(readTimeOfDay(written), written).toBe(clock);
  for (const written of ['', '25', '9:60', '13 pm', 'soon', '09:0000'])
    expect(readTimeOfDay(written), written).toBeUndefined();
});

test('a shown time is parsed into the same time, wherever the reader is', () => {
  for (const at of ['en', 'en-US', 'en-GB', 'en-CA', 'en-NZ', 'de'])
    for (const clock of ['00:00', '09:05', '12:00', '23:59'])
      expect(readTimeOfDay(timeOfDay(clock, at)), `${clock} in ${at}`).toBe(clock);
  expect(timeOfDay('17:00', 'en-GB')).toBe('17:00');
  expect(timeOfDay('17:00', 'en-US')).toMatch(/^5:00\sPM$/);
});
