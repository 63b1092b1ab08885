import { type InfiniteData, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ListRefresh } from './list-refresh.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How often a list with so many loaded pages is requested, after changes in each of these seconds. */
async function askedFor(pages: number, seconds: number): Promise<number> {
  const client = new QueryClient();
  const data: InfiniteData<string> = { pages: Array(pages).fill(''), pageParams: Array(pages).fill('') };
  let asked = 0;
  const list = new QueryObserver(client, {
    queryKey: ['sessions', 'list', 'open'],
    queryFn: () => {
      asked += 1;
      return data;
    },
    initialData: data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const leave = list.subscribe(() => undefined);
  const refresh = new ListRefresh(client);
  for (let second = 0; second < seconds; second++) {
    for (let change = 0; change < 5; change++) refresh.soon(['sessions', 'list']);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  leave();
  refresh.stop();
  return asked;
}

test('many changes in a second request a list once', async () => {
  expect(await askedFor(1, 3)).toBe(3);
});

test('a list of n pages is requested n times less often', async () => {
  expect(await askedFor(10, 20)).toBe(2);
});

test('a count is requested at once, and then once a second while there are more changes', async () => {
  const client = new QueryClient();
  const asked = vi.spyOn(client, 'invalidateQueries');
  const refresh = new ListRefresh(client);
  const change = (): void => refresh.now(['inbox', 'counts']);
  change();
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveBeenCalledTimes(1);
  for (let second = 0; second < 3; second++) {
    for (let at = 0; at < 10; at++) change();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(asked).toHaveBeenCalledTimes(5);
  refresh.stop();
});
