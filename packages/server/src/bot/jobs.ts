import { job } from '../jobs/job.ts';
import { runEvaluation } from './evaluations.ts';
import { groupGaps } from './gap-grouping.ts';
import { takeTurns } from './turn.ts';

export const botJobs = [
  job({ name: 'bot.answer', run: (ctx, { session_id }) => takeTurns(ctx, session_id) }),
  job({ name: 'bot.evaluate', run: (ctx, { evaluation_id }) => runEvaluation(ctx, evaluation_id) }),
  job({ name: 'bot.group_gaps', run: (ctx) => groupGaps(ctx) }),
];
