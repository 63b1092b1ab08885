import { renewFieldWords } from '../../conversations/search/field-words.ts';
import { job } from '../../core/job.ts';
import { renewWords } from './search.ts';

/** Records per transaction. */
const BATCH = 50;

/** Indexes records again after a custom field was archived, restored or deleted. */
export const indexFields = job({
  name: 'fields.index',
  async run(ctx, { owner, ids }) {
    for (let from = 0; from < ids.length; from += BATCH)
      await ctx.transaction(async (tx) => {
        const some = ids.slice(from, from + BATCH);
        if (owner === 'chats') await renewFieldWords(tx, some);
        else for (const id of some) await renewWords(tx, id);
      });
  },
});
