import { expect, test } from 'vitest';
import { csvText } from '../base/csv.ts';
import { decodeCsv, lookIntoCsv, rowsOf } from './csv-file.ts';

const TEXT = 'E-Mail;Name\nmaya@example.com;Müller\n';

async function cellsOf(text: string): Promise<(readonly string[])[]> {
  const cells: (readonly string[])[] = [];
  for await (const row of rowsOf(text)) cells.push(row.cells);
  return cells;
}

test.each([
  ['utf-8', Buffer.from(TEXT)],
  ['utf-8', Buffer.from(`\ufeff${TEXT}`)],
  ['utf-16le', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['utf-16le', Buffer.from(TEXT, 'utf16le')],
  ['utf-16be', Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16()],
  ['windows-1252', Buffer.from(TEXT, 'latin1')],
])('reads %s', async (encoding, bytes) => {
  const file = decodeCsv(bytes);
  expect(file.encoding).toBe(encoding);
  expect(await cellsOf(file.text)).toEqual([['maya@example.com', 'Müller']]);
});

test('reports its content and the likely fields of its columns', async () => {
  const text = 'identifier,Email,phone_number,Seats,vip,,Email\nu-1,a@b.de,+49170,3,true,x,c@d.de\n,,,,,,\n';
  const found = await lookIntoCsv('visitors', Buffer.from(text));
  expect(found).toMatchObject({ rows: 2, encoding: 'utf-8' });
  expect(found.samples[0]).toEqual(['u-1', 'a@b.de', '+49170', '3', 'true', 'x', 'c@d.de']);
  expect(found.guess).toEqual([
    { to: 'key' },
    { to: 'email' },
    { to: 'attribute', name: 'phone_number', as: 'text' },
    { to: 'attribute', name: 'Seats', as: 'number' },
    { to: 'attribute', name: 'vip', as: 'boolean' },
    { to: 'skip' },
    { to: 'attribute', name: 'Email', as: 'text' },
  ]);
  const tickets = await lookIntoCsv('tickets', Buffer.from('id,Subject,internal\n1,Hi,x\n'));
  expect(tickets.guess).toEqual([{ to: 'external_id' }, { to: 'subject' }, { to: 'skip' }]);
});

test.each([
  ['csv_none', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0])],
  ['csv_none', Buffer.from('\n\n')],
  ['csv_empty', Buffer.from('email,name\n')],
  ['csv_columns', Buffer.from(`${Array(51).fill('a').join(',')}\n1\n`)],
  ['csv_rows', Buffer.from(`a\n${'1\n'.repeat(100_001)}`)],
])('refuses with %s a file that can’t be imported', async (reason, bytes) => {
  await expect(lookIntoCsv('visitors', bytes)).rejects.toMatchObject({ code: 'invalid_input', reason });
});

test('reads cells that an export has neutralised as they were', async () => {
  const [row] = await cellsOf(
    csvText([
      ['phone', 'name'],
      ['+49170', '=Eve'],
    ]),
  );
  expect(row).toEqual(['+49170', '=Eve']);
});
