import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresServer } from '../../packages/server/test/postgres-server.ts';
import type { Crowd, Desk } from './people.ts';

/** How long views may take to catch up at the end. */
const COMPLETE_MS = 30_000;

/** Waits until `look` returns nothing, or for `withinMs`. @returns what is left */
export async function settled(
  look: () => string[] | Promise<string[]>,
  withinMs = COMPLETE_MS,
): Promise<string[]> {
  const end = performance.now() + withinMs;
  for (;;) {
    const left = await look();
    if (left.length === 0 || performance.now() > end) return left;
    await delay(100);
  }
}

interface Stored {
  session_id: string;
  seq: number;
  sender: string;
  text: string;
}

/** For each kind of fault, where it was found. */
export type Found = Map<string, string[]>;

interface Run {
  postgres: Pick<PostgresServer, 'query'>;
  crowd: Crowd;
  desks: readonly Desk[];
  /** The messages that webhooks delivered, as `session seq`; undefined without webhooks. */
  delivered?: () => readonly string[];
}

const seqs = (messages: readonly { seq: number }[]): string => messages.map(({ seq }) => seq).join();

/** Compares what was acknowledged, stored, shown and delivered, once nobody writes. */
export async function judge({ postgres, crowd, desks, delivered }: Run): Promise<Found> {
  const { rows } = await postgres.query(
    `select c.session_id, m.seq, m.sender, m.text from messages m
     join conversations c on c.site_id = m.site_id and c.id = m.conversation_id order by 1, 2`,
  );
  const stored: Stored[] = rows;
  const bySession = Map.groupBy(stored, ({ session_id }) => session_id);
  const texts = stored.filter(({ sender }) => sender === 'visitor').map(({ text }) => text);
  const acked = [...crowd.acked()];
  console.log(
    `sent ${crowd.sent.size}, acknowledged ${acked.length}, stored ${texts.length} and ${stored.length - texts.length} of the bot and the system`,
  );
  const isWrong = (id: string, shown: readonly { seq: number }[]): boolean =>
    seqs(shown) !== seqs(bySession.get(id) ?? []);
  const found: Found = new Map([
    ['acknowledged and not stored', acked.filter((text) => !texts.includes(text))],
    ['stored twice', texts.filter((text, index) => texts.indexOf(text) !== index)],
    [
      'numbered with a gap',
      [...bySession].flatMap(([id, all]) => (all.some(({ seq }, index) => seq !== index + 1) ? [id] : [])),
    ],
    [
      'refused by the server',
      crowd.visitors.flatMap((visitor) =>
        visitor.state().pending.flatMap(({ text, refused }) => (refused ? [`${text}: ${refused}`] : [])),
      ),
    ],
  ]);
  for (const [place, desk] of desks.entries())
    found.set(
      `not or twice on desk ${place}`,
      await settled(() => [...bySession.keys()].filter((id) => isWrong(id, desk.messages(id)))),
    );
  const atVisitors = (): string[] =>
    crowd.visitors.flatMap((visitor) => {
      const id = visitor.session() ?? '';
      return isWrong(id, visitor.state().messages[id] ?? []) ? [id] : [];
    });
  found.set('not or twice at its visitor', await settled(atVisitors));
  if (delivered) found.set('without its webhook', await settled(() => missing(stored, delivered())));
  return found;
}

function missing(stored: readonly Stored[], delivered: readonly string[]): string[] {
  const got = new Set(delivered);
  return stored.map(({ session_id, seq }) => `${session_id} ${seq}`).filter((message) => !got.has(message));
}

/** Prints the faults. @returns whether there are none */
export function report(found: Found): boolean {
  for (const [name, all] of found) console.log(`${name}: ${all.length} ${all.slice(0, 5).join(' | ')}`);
  return [...found.values()].every(({ length }) => length === 0);
}
