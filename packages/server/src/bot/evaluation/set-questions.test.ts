import { contract, type ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { until } from '../../../test/harness.ts';
import type { SiteContext } from '../../core/context.ts';
import { updateBotSettings } from '../settings.ts';
import { createQuestionSet } from './question-sets.ts';
import { createSetQuestion, updateSetQuestion } from './set-questions.ts';

const ground = useGround();

/** The second begins while the first is not yet committed, and waits for it. */
async function atOnce<T>(
  ctx: SiteContext,
  first: (tx: SiteContext) => Promise<unknown>,
  second: (ctx: SiteContext) => Promise<T>,
): Promise<T> {
  const { waiting } = await ctx.transaction(async (tx) => {
    await first(tx);
    const late = second(ctx);
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        ctx.db,
      );
      return rows.length > 0;
    });
    // In an object: the promise alone would be awaited before the commit.
    return { waiting: late };
  });
  return waiting;
}

test('two people change one question at once, and neither change is lost', async () => {
  const ctx = await ground.makeSite();
  const { id: set_id } = await createQuestionSet(ctx, 'All');
  const input = { set_id, question: 'Where is it?', expects: 'unknown' };
  const { id } = await createSetQuestion(ctx, contract['set_questions.create'].input.parse(input));
  const change = (at: SiteContext, parts: Partial<ParsedInputOf<'set_questions.update'>>) =>
    updateSetQuestion(at, { id, ...parts });
  const after = await atOnce(
    ctx,
    (tx) => change(tx, { question: 'Where is my parcel?' }),
    (at) => change(at, { expects: 'handoff' }),
  );
  expect(after).toMatchObject({ question: 'Where is my parcel?', expects: 'handoff' });
});

test('two people change the bot at once, and neither change is lost', async () => {
  const ctx = await ground.makeSite();
  const after = await atOnce(
    ctx,
    (tx) => updateBotSettings(tx, { name: 'Robin' }),
    (at) => updateBotSettings(at, { enabled: false }),
  );
  expect(after).toMatchObject({ name: 'Robin', enabled: false });
});
