import { expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { createArticle } from '../../knowledge/articles/articles.ts';
import { createRule } from '../rules/handoff-rules.ts';
import { rehearsal } from './rehearsal.ts';

const MONDAY_NOON = new Date('2026-01-05T12:00:00Z');
const MONDAY_NIGHT = new Date('2026-01-05T23:00:00Z');
const DAY = [{ from: '09:00', to: '17:00' }];
const HOURS = {
  time_zone: 'UTC',
  weekly: { monday: DAY, tuesday: DAY, wednesday: DAY, thursday: DAY, friday: DAY, saturday: [], sunday: [] },
  holidays: [],
};

const ground = useGround();

test('a rule for closed hours counts, by the given time, and a bot that is off is asked all the same', async () => {
  const ctx = await ground.makeSite();
  await createArticle(ctx, {
    title: 'Returns',
    body: 'You can send anything back in 30 days.',
    status: 'Published',
  });
  await createRule(ctx, {
    name: 'Night',
    words: ['back'],
    pages: [],
    segment_ids: [],
    hours: 'closed',
    enabled: true,
  });
  await ground.db
    .updateTable('sites')
    .set({ office_hours: JSON.stringify(HOURS), bot_off_at: MONDAY_NOON })
    .where('id', '=', ctx.site.id)
    .execute();
  const answerAt = async (at: Date) => (await rehearsal(ctx, at))('How long can I send things back?');
  expect(await answerAt(MONDAY_NOON)).toMatchObject({ kind: 'answer', sources: [{ title: 'Returns' }] });
  expect(await answerAt(MONDAY_NIGHT)).toMatchObject({
    kind: 'handoff',
    why: 'Rule “Night”: the visitor wrote “back”, outside of office hours.',
  });
});
