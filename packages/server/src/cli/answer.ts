import { once } from 'node:events';
import type { Command } from 'commander';
import pg from 'pg';
import { AppError, toAppError } from '../base/errors.ts';
import { reasonOf, StartError } from '../base/start-error.ts';
import { databaseStartFailure } from '../db/start-failure.ts';

/** The result of a command. */
export interface Answer {
  /** For `--json`: the one object on stdout. */
  data: object;
  /** The text for people, one or more lines. */
  words: string;
  /** Exit with code 1 despite a result. */
  failed?: boolean;
}

/** Defines a command's action and `--json`. Errors go to stderr, so stdout contains only the result. */
export function answers<O extends object>(
  command: Command,
  work: (options: O, ...operands: string[]) => Promise<Answer>,
): Command {
  return command.option('--json', 'print only one JSON object').action(async () => {
    const { json, ...options } = command.opts<O & { json?: true }>();
    const { data, words, failed } = await work(options as O, ...command.args);
    process.stdout.write(`${json ? JSON.stringify(data) : words}\n`);
    if (failed) process.exitCode = 1;
  });
}

/** A result of any length, written while it is read. */
export interface LongAnswer<T> {
  /** The name of the list in the `--json` object. */
  name: string;
  items: AsyncIterable<T>;
  /** The text for people: before the items, for each item, and instead of them if there are none. */
  head: string;
  line(item: T): string;
  none: string;
}

/** As `answers`, for a list that need not fit into memory. */
export function answersList<T>(
  command: Command,
  work: (write: (answer: LongAnswer<T>) => Promise<void>) => Promise<void>,
): Command {
  return command.option('--json', 'print only one JSON object').action(async () => {
    const { json } = command.opts<{ json?: true }>();
    await work(async (answer) => {
      for await (const text of json ? jsonOf(answer) : wordsOf(answer))
        if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    });
  });
}

async function* jsonOf<T>({ name, items }: LongAnswer<T>): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:[`;
  let before = '';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield ']}\n';
}

async function* wordsOf<T>({ items, head, line, none }: LongAnswer<T>): AsyncGenerator<string> {
  let before = `${head}\n`;
  for await (const item of items) {
    yield `${before}${line(item)}\n`;
    before = '';
  }
  if (before) yield `${none}\n`;
}

/** The line on stderr for a failed command; a stack trace if it is a bug. */
export function describeFailure(error: unknown): string {
  if (error instanceof StartError || error instanceof AppError) return error.message;
  const known = toAppError(error);
  if (known.code === 'unavailable') return `${known.message} (${reasonOf(error)})`;
  if (error instanceof pg.DatabaseError && !error.message.includes('syntax error'))
    return `PostgreSQL: ${reasonOf(error)}`;
  const failure = databaseStartFailure(error);
  if (failure instanceof StartError) return failure.message;
  return `Unexpected error: ${error instanceof Error ? error.stack : String(error)}`;
}

/** A table whose columns are as wide as necessary. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
