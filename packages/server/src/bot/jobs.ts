import { job } from '../core/job.ts';
import { runEvaluation } from './evaluation/evaluations.ts';
import { groupGaps } from './gaps/grouping.ts';
import { summariseHandoff } from './handoff-summary.ts';
import { takeTurns } from './turn.ts';

/** A turn may wait up to 20 s for a language model, and other turns must not wait for it. */
const TURNS_AT_ONCE = 12;

export const botJobs = [
  job({
    name: 'bot.answer',
    workers: TURNS_AT_ONCE,
    run: (ctx, { session_id }) => takeTurns(ctx, session_id),
  }),
  job({
    name: 'bot.summarise_handoff',
    run: (ctx, { handoff_id }) => summariseHandoff(ctx, handoff_id),
  }),
  job({ name: 'bot.evaluate', run: (ctx, { evaluation_id }) => runEvaluation(ctx, evaluation_id) }),
  job({ name: 'bot.group_gaps', run: (ctx) => groupGaps(ctx) }),
];
