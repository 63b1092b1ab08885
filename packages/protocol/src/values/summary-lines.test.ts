import { expect, test } from 'vitest';
import { readSummaryLine, SUMMARY_LINES, type SummaryLine, summaryLine } from './summary-lines.ts';

const VALUES = {
  question: '“Is it – the lamp – dimmable?”',
  said: '“Yes: $& and {who}.”',
  title: '“Lamps”',
  others: '3',
  page: 'example.com/a,b',
  who: 'Ada, on call, ada@example.com',
};

test.each(Object.keys(SUMMARY_LINES) as SummaryLine[])(
  'the line %s is parsed into the values it was built from',
  (name) => {
    const line = summaryLine(name, VALUES);
    const read = readSummaryLine(line);
    expect(read?.name).toBe(name);
    expect(VALUES).toMatchObject(read?.values ?? {});
    expect(summaryLine(name, { ...VALUES, ...read?.values })).toBe(line);
  },
);

test('a line of a model or of another version is not parsed as one of these', () => {
  expect(readSummaryLine('The customer wants a refund.')).toBeUndefined();
  expect(readSummaryLine('“A” and “B” – the bot didn’t know.')).toBeUndefined();
});
