import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canUndo, currentToasts, dismiss, toast, undoLast } from './toast-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const { id } of currentToasts()) dismiss(id);
  vi.useRealTimers();
});

const titles = () => currentToasts().map(({ title }) => title);

test('undo reverts the latest change first, then the one before, each once', () => {
  const undone: string[] = [];
  toast.undoable('Assigned', () => undone.push('Assigned'));
  toast.undoable('Solved', () => undone.push('Solved'));
  toast.success('Copied');
  expect(undoLast()).toBe(true);
  expect(undone).toEqual(['Solved']);
  expect(titles()).toEqual(['Assigned', 'Copied']);
  expect(undoLast()).toBe(true);
  expect(undone).toEqual(['Solved', 'Assigned']);
  expect([canUndo(), undoLast()]).toEqual([false, false]);
  expect(undone).toHaveLength(2);
});

test('a toast with Undo shows for ten seconds, a success for four, an error until it is dismissed', () => {
  toast.undoable('Solved', () => {});
  toast.success('Copied');
  toast.error('Not saved', new Error('too long'));
  vi.advanceTimersByTime(3_999);
  expect(titles()).toEqual(['Solved', 'Copied', 'Not saved']);
  vi.advanceTimersByTime(1);
  expect(titles()).toEqual(['Solved', 'Not saved']);
  vi.advanceTimersByTime(6_000);
  expect(titles()).toEqual(['Not saved']);
  expect(canUndo()).toBe(false);
});

test('three show at once, the latest ones', () => {
  for (const title of ['one', 'two', 'three', 'four']) toast.success(title);
  expect(titles()).toEqual(['two', 'three', 'four']);
});
