import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import { readTimestamp, TIMESTAMPTZ } from './timestamps.ts';

const ground = useGround();

test('times are read as the driver reads them, of any year, fraction and time zone', async () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'Asia/Kolkata',
    'America/St_Johns',
    'Pacific/Kiritimati',
    'America/Lima',
  ];
  const readAny = pg.types.getTypeParser(TIMESTAMPTZ);
  const seen = new Set<boolean>();
  for (const zone of zones) {
    const { rows } = await sql<{ text: string }>`
      select t::text as text from (
        select set_config('timezone', ${zone}, true)
      ) zone, lateral (
        select ('0001-01-01 00:00:00+00'::timestamptz + make_interval(days => day, secs => day * 12345.678901)) as t
        from generate_series(0, 4000000, 7919) as day
        union all select unnest(array['2026-02-28 23:59:59.9', '2024-02-29 00:00:00.57', '2026-12-01 17:12:34.123456',
          '1969-12-31 23:59:59.001', '0099-06-01', '0100-06-01', '9999-12-31 23:59:59', '12026-01-01', '0044-03-15 BC',
          'infinity', '-infinity']::timestamptz[])
      ) times`.execute(ground.db);
    expect(rows.length).toBeGreaterThan(500);
    for (const { text } of rows) {
      const read = readTimestamp(text);
      expect(Number(read), text).toBe(Number(readAny(text)));
      seen.add(/^[1-9]\d{3}-.{14,}[+-]\d\d$/.test(text));
    }
  }
  expect(seen).toEqual(new Set([true, false]));
});

test('a time that is stored comes back as it was', async () => {
  const times = ['2026-12-01T17:12:34.057Z', '1970-01-01T00:00:00.000Z', '2026-03-29T01:30:00.500Z'];
  const { rows } = await sql<{ at: Date }>`
    select unnest(${times}::timestamptz[]) as at`.execute(ground.db);
  expect(rows.map(({ at }) => at.toISOString())).toEqual(times);
});
