import { setTimeout as delay } from 'node:timers/promises';
import { openWidgetVisitor, type WidgetVisitor } from '../../packages/server/test/widget-visitor.ts';
import { answerParent } from '../child.ts';

/** The visitors of `crowd.ts`, in a process of their own: the widget's connection and outbox, without its interface. */
type Question =
  /** @param name begins the texts of these visitors; without it they only connect */
  | { open: { url: string; publicKey: string; count: number; name?: string } }
  /** So many write, whether the server is there or not. */
  | { write: string; count: number }
  /** Resolves once all are connected and have nothing left to send. */
  | { settled: true };

export interface Settled {
  /** When each had nothing left to send and saw what it had written once, in ms since the epoch. */
  at: number[];
  /** Who didn't within two minutes. */
  wrong: string[];
}

/** As a busy shop's visitors come: not all in one instant. */
const AT_ONCE = 50;
const SETTLED_MS = 120_000;
const visitors: WidgetVisitor[] = [];
const written: string[][] = [];
const at: number[] = [];

/** Connected, with nothing left to send, and each text on the screen once. */
const isSettled = (visitor: WidgetVisitor, texts: readonly string[] = []): boolean => {
  const shown = visitor.texts('visitor');
  return (
    visitor.state().line === 'online' &&
    visitor.waiting().length === 0 &&
    texts.every((text) => shown.filter((one) => one === text).length === 1)
  );
};

async function open({
  url,
  publicKey,
  count,
  name,
}: Extract<Question, { open: unknown }>['open']): Promise<void> {
  for (let opened = 0; opened < count; opened += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - opened) }, async (_, place) => {
        const visitor = await openWidgetVisitor(url, publicKey);
        const number = visitors.push(visitor) - 1;
        written.push([]);
        if (name !== undefined) write(number, `${name}-${opened + place}`);
        await visitor.until(() => isSettled(visitor));
      }),
    );
}

function write(number: number, text: string): void {
  if (visitors[number]?.send(text)) written[number]?.push(text);
}

async function settled(): Promise<Settled> {
  const late = delay(SETTLED_MS, 'late', { ref: false });
  const wrong: string[] = [];
  await Promise.all(
    visitors.map(async (visitor, number) => {
      const texts = written[number] ?? [];
      const all = visitor.until(() => isSettled(visitor, texts));
      if ((await Promise.race([all, late])) === 'late')
        wrong.push(`${texts} became ${visitor.texts('visitor')}`);
      at[number] = Date.now();
    }),
  );
  return { at, wrong };
}

answerParent<Question>(async (question) => {
  if ('open' in question) return open(question.open);
  if ('settled' in question) return settled();
  for (let number = 0; number < question.count; number++)
    write(number, `${question.write}-${process.pid}-${number}`);
  return;
});
