import { expect, test } from 'vitest';
import { csvRecords, csvText } from './csv.ts';

const read = (text: string) => [...csvRecords(text)];
const cells = (text: string) => read(text).map((record) => record.cells);

test('reads cells, quoted ones with commas, quotation marks and line breaks in them', () => {
  expect(cells('a,b\n"1, 2","say ""hi"""\n"two\nlines",x\n')).toEqual([
    ['a', 'b'],
    ['1, 2', 'say "hi"'],
    ['two\nlines', 'x'],
  ]);
});

test('reports the line in which a record begins, for all kinds of line ends', () => {
  expect(read('a,b\r\n"x\r\ny",1\r\n\r\nlast,2').map(({ line }) => line)).toEqual([1, 2, 5]);
});

test('accepts what spreadsheets put between cells, and drops their byte order mark', () => {
  expect(cells('\ufeffa;b\n1,5;2')).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  expect(cells('a\tb\n1\t2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

test('a quotation mark within a cell is a character', () => {
  expect(cells('19" monitor,x')).toEqual([['19" monitor', 'x']]);
});

test('a broken record is reported by its line, and the others are read', () => {
  expect(read('a,b\n"x"y,1\nc,d')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: [], fault: 'has text after a closing quotation mark' },
    { line: 3, cells: ['c', 'd'] },
  ]);
  expect(read('a,b\n"never closed,1\nc,d').map(({ line, fault }) => [line, fault !== undefined])).toEqual([
    [1, false],
    [2, true],
    [3, false],
  ]);
});

test('an empty text has no records', () => {
  for (const text of ['', '\n', '\r\n\r\n', '\ufeff']) expect(read(text)).toEqual([]);
});

test('written text is read again unchanged, except what a spreadsheet would run', () => {
  const rows = [
    ['a', 'b "c", d', 'two\nlines', '12 € – ü'],
    [1, -2.5, null, ' x '],
  ];
  expect(cells(csvText(rows))).toEqual([rows[0], ['1', '-2.5', '', ' x ']]);
  const evil = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'];
  expect(cells(csvText([evil]))).toEqual([evil.map((text) => `'${text}`)]);
});
