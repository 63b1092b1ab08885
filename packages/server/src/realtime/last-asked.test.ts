import { expect, test } from 'vitest';
import { lastAsked } from './last-asked.ts';

test('a slow result never overwrites a newer one, and none is requested more often than necessary', async () => {
  const asked: { key: string; answer: () => void }[] = [];
  const known: string[] = [];
  let state = 'first';
  const look = lastAsked(async (key: string) => {
    const read = state;
    await new Promise<void>((resolve) => asked.push({ key, answer: resolve }));
    known.push(`${key} ${read}`);
  });
  const answer = async (): Promise<void> => {
    asked.shift()?.answer();
    await new Promise((resolve) => setImmediate(resolve));
  };

  look('a');
  state = 'second';
  look('a');
  look('a');
  look('b');
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b']);
  await answer();
  await answer();
  await answer();
  expect(known).toEqual(['a first', 'b second', 'a second']);
  expect(asked).toEqual([]);
  look('a');
  expect(asked).toHaveLength(1);
});
