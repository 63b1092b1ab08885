import { expect, test } from 'vitest';
import { uuidV7 } from './uuid.ts';

test('an id is a UUID of version 7 that holds its time', () => {
  const id = uuidV7(Date.parse('2026-03-04T05:06:07.890Z'));
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(
    Date.parse('2026-03-04T05:06:07.890Z'),
  );
});

test('later ids sort after earlier ones and no two are alike', () => {
  expect(uuidV7(1000) < uuidV7(2000)).toBe(true);
  const ids = new Set(Array.from({ length: 1000 }, () => uuidV7(5)));
  expect(ids.size).toBe(1000);
});
