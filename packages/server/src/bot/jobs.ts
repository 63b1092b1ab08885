import { job } from '../jobs/job.ts';
import { takeTurn } from './turn.ts';

export const botJobs = [job({ name: 'bot.answer', run: (ctx, { session_id }) => takeTurn(ctx, session_id) })];
