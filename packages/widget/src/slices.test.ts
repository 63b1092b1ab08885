import type { SocketLike } from '@foyer/protocol/browser/line';
import { expect, test } from 'vitest';
import { createSlices, sliced } from './slices.ts';

/** Tasks and a clock that the test runs by hand. */
const stage = () => {
  const tasks: (() => void)[] = [];
  let now = 0;
  return {
    inSlices: createSlices(
      (run) => tasks.push(run),
      () => now,
    ),
    tasks,
    pass(ms: number) {
      now += ms;
    },
    runOne: () => tasks.shift()?.(),
    runAll() {
      while (tasks.length > 0) tasks.shift()?.();
    },
  };
};

test('long work runs in several tasks, in order, and later work after it', () => {
  const { inSlices, pass, runOne, runAll } = stage();
  const done: number[] = [];
  const doFor3Ms = (number: number) =>
    inSlices(() => {
      pass(3);
      done.push(number);
    });
  for (let number = 1; number <= 5; number++) doFor3Ms(number);
  expect(done).toEqual([]);
  runOne();
  expect(done).toEqual([1, 2, 3]);
  doFor3Ms(6);
  runAll();
  expect(done).toEqual([1, 2, 3, 4, 5, 6]);
});

test('work that throws does not block what comes after it', () => {
  const { inSlices, runOne, runAll } = stage();
  const done: string[] = [];
  inSlices(() => {
    throw new Error('broken');
  });
  inSlices(() => done.push('after it'));
  expect(runOne).toThrow('broken');
  runAll();
  expect(done).toEqual(['after it']);
});

test('the end of a connection is handled after everything it received', () => {
  const { inSlices, runAll } = stage();
  const heard: unknown[] = [];
  const line: SocketLike = { send: () => {}, close: () => {}, onopen: null, onmessage: null, onclose: null };
  const like = sliced(line, inSlices);
  like.onmessage = ({ data }) => heard.push(data);
  like.onclose = ({ code }) => heard.push(code);
  line.onmessage?.({ data: 'one' });
  line.onmessage?.({ data: 'two' });
  line.onclose?.({ code: 1012 });
  expect(heard).toEqual([]);
  runAll();
  expect(heard).toEqual(['one', 'two', 1012]);
});
