import type { BotTrial, InputOf } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../../api.ts';

export interface Tried {
  question: string;
  trial: BotTrial;
}

/** The server's limits. */
const MESSAGES_MAX = 20;
const MISSES_MAX = 1;

type Before = NonNullable<InputOf<'bot.try'>['before']>;

const saidIn = (tried: readonly Tried[]): Before =>
  tried
    .flatMap(
      ({ question, trial: { text } }): Before => [
        { sender: 'visitor', text: question },
        ...(text === null ? [] : [{ sender: 'bot', text } as const]),
      ],
    )
    .slice(-MESSAGES_MAX);

/** A conversation with the bot that lives as long as the screen. */
export interface Trial {
  tried: readonly Tried[];
  /** The question that the bot is answering. */
  asking: string | undefined;
  error: Error | null;
  /** The bot has handed over, and says nothing more. */
  isOver: boolean;
  ask: (question: string) => Promise<unknown>;
  startOver: () => void;
}

export function useTrial(): Trial {
  const [tried, setTried] = useState<readonly Tried[]>([]);
  const round = useRef(0);
  const asking = useMutation({
    mutationFn: async (question: string) => {
      const own = round.current;
      const misses = Math.min(tried.at(-1)?.trial.misses ?? 0, MISSES_MAX);
      const trial = await call('bot.try', { question, before: saidIn(tried), misses });
      // An answer that arrives after `startOver` is not shown.
      if (own === round.current) setTried((before) => [...before, { question, trial }]);
    },
  });
  return {
    tried,
    asking: asking.isPending ? asking.variables : undefined,
    error: asking.error,
    isOver: (tried.at(-1)?.trial.handoff ?? null) !== null,
    ask: asking.mutateAsync,
    startOver: () => {
      round.current += 1;
      asking.reset();
      setTried([]);
    },
  };
}
