import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '@foyer/protocol';
import { WebSocket } from 'ws';
import { openWidgetVisitor, type WidgetVisitor } from '../../packages/server/test/widget-visitor.ts';
import { signIn } from '../context.ts';
import type { Node } from './cluster.ts';

const LIVE = new URL('../../packages/dashboard/src/live/', import.meta.url);

/** The used part of the desk's own `Live`. */
interface DeskLine {
  start(): void;
  stop(): void;
  subscribe(sessionId: string): () => void;
}

export interface Desk {
  follow(sessionId: string): void;
  messages(sessionId: string): readonly Message[];
  leave(): void;
}

/** An agent's desk at one node: its own connection and its own log of messages, without a page. */
export async function openDesk(
  node: Node,
  origin: string,
  account: { email: string; password: string },
): Promise<Desk> {
  const cookie = await signIn(node.url, account, origin);
  // Not by plain imports: the desk is compiled for browsers, with their types.
  const { Live } = await import(new URL('live.ts', LIVE).href);
  const { MessageLog } = await import(new URL('message-log.ts', LIVE).href);
  const log: { get(sessionId: string): readonly Message[] } = new MessageLog();
  const live: DeskLine = new Live({
    log,
    connect() {
      const socket = new WebSocket(`${node.url.replace('http', 'ws')}/app/socket`, {
        headers: { cookie, origin },
      });
      socket.on('error', () => undefined);
      return socket;
    },
    onFrame: () => undefined,
    onState: () => undefined,
  });
  live.start();
  return {
    follow: (sessionId) => void live.subscribe(sessionId),
    messages: (sessionId) => log.get(sessionId),
    leave: () => live.stop(),
  };
}

export interface Crowd {
  visitors: WidgetVisitor[];
  sent: Set<string>;
  /** Texts that the server has acknowledged. */
  acked(): Set<string>;
  /** Everyone sends now. @returns each wait for the acknowledgement, in ms */
  probe(): Promise<number[]>;
  end(): Promise<void>;
}

/** Visitors with the widget's own outbox, who write now and then. */
export async function openCrowd(
  { balancer }: { balancer: { url: string } },
  publicKey: string,
  count: number,
): Promise<Crowd> {
  const sent = new Set<string>();
  const visitors: WidgetVisitor[] = [];
  let isOver = false;
  const say = (visitor: WidgetVisitor, text: string): string => {
    if (visitor.send(text)) sent.add(text);
    return text;
  };
  for (let place = 0; place < count; place++) {
    const visitor = await openWidgetVisitor(balancer.url, publicKey);
    visitors.push(visitor);
    say(visitor, `hello ${place}`);
    await visitor.until(() => visitor.session() !== undefined);
  }
  const talk = async (visitor: WidgetVisitor, place: number): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      say(visitor, `${place}: ${turn}`);
      await delay(800 + Math.random() * 2_400);
    }
  };
  const talks = visitors.map(talk);
  let probes = 0;
  return {
    visitors,
    sent,
    acked: () => {
      const waiting = new Set(visitors.flatMap((visitor) => visitor.waiting()));
      return new Set([...sent].filter((text) => !waiting.has(text)));
    },
    async probe() {
      const name = `probe ${probes++}`;
      const begun = performance.now();
      return Promise.all(
        visitors.map(async (visitor, place) => {
          const text = say(visitor, `${name} of ${place}`);
          await visitor.until(() => !visitor.waiting().includes(text));
          return performance.now() - begun;
        }),
      );
    },
    async end() {
      isOver = true;
      await Promise.all(talks);
      await Promise.all(visitors.map((visitor) => visitor.until(() => visitor.waiting().length === 0)));
    },
  };
}
