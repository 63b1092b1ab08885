import { expect, test } from 'vitest';
import { blocksOf } from './plain-text.ts';

const markdownOf = (source: string): string[] =>
  blocksOf(source).flatMap(({ lines }) =>
    lines.flatMap(({ sentences }) => sentences.map(({ markdown }) => markdown)),
  );

test('strikethrough is kept', () => {
  expect(markdownOf('The lamp is ~~29 €~~ 19 €. ~~[Returns](https://a.example) are `free`~~.')).toEqual([
    'The lamp is ~~29 €~~ 19 €.',
    '~~Returns are free~~.',
  ]);
  expect(markdownOf('| Size | Price |\n|---|---|\n| Large | ~~9~~ 7 |')).toEqual(['**Large**: ~~9~~ 7']);
});
