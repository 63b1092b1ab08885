import { expect, test, vi } from 'vitest';
import type { OutboxItem } from './items.ts';
import { type Answer, createLimiter } from './limiter.ts';

const item = (id: string, text = ''): OutboxItem => ({ id, key: 'anon_1', at: 0, attributes: { text } });

/** A limiter whose requests wait until they are answered by the id of their item. */
const make = () => {
  const log: string[] = [];
  const waiting = new Map<string, PromiseWithResolvers<Answer>>();
  const onAnswer = vi.fn();
  const send = createLimiter(
    ({ id }, keepalive) => {
      log.push(`${id}, ${keepalive ? 'keepalive' : 'too large'}`);
      const request = Promise.withResolvers<Answer>();
      waiting.set(id, request);
      return request.promise;
    },
    ({ id }) => log.push(`${id} starts`),
    onAnswer,
  );
  const answer = async (id: string, status: number) => {
    waiting.get(id)?.resolve([status]);
    await vi.waitFor(() =>
      expect(onAnswer).toHaveBeenLastCalledWith(expect.objectContaining({ id }), [status]),
    );
  };
  return { send, log, waiting, onAnswer, answer };
};

test('an item is reported before it is sent', () => {
  const { send, log } = make();
  send(item('a'));
  expect(log).toEqual(['a starts', 'a, keepalive']);
});

test('at most six items are in flight, and a response makes room for the next', async () => {
  const { send, waiting, answer } = make();
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) send(item(id));
  expect([...waiting.keys()]).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  await answer('b', 503);
  send(item('g'));
  send(item('h'));
  expect([...waiting.keys()].slice(6)).toEqual(['g']);
});

test('an item that is too large to outlive the page with others is sent alone', async () => {
  const { send, log, waiting, answer } = make();
  send(item('small'));
  send(item('large', 'x'.repeat(60_000)));
  expect([...waiting.keys()]).toEqual(['small']);
  await answer('small', 200);
  send(item('large', 'x'.repeat(60_000)));
  expect(log.at(-1)).toBe('large, too large');
  send(item('next'));
  expect([...waiting.keys()]).toEqual(['small', 'large']);
  await answer('large', 200);
  send(item('next'));
  expect(log.at(-1)).toBe('next, keepalive');
});

test('a network failure is a response with status 0', async () => {
  const { send, waiting, onAnswer } = make();
  send(item('a'));
  waiting.get('a')?.reject(new TypeError('Failed to fetch'));
  await vi.waitFor(() => expect(onAnswer).toHaveBeenCalledWith(item('a'), [0]));
});
