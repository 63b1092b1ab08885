import { job } from '../jobs/job.ts';
import { takeTurns } from './turn.ts';

export const botJobs = [
  job({ name: 'bot.answer', run: (ctx, { session_id }) => takeTurns(ctx, session_id) }),
];
