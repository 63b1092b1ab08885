import { expect, test } from 'vitest';
import { openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { releaseTickets } from './release.ts';

const ground = useGround();

test('the open tickets of an agent who has left are unassigned; the solved ones stay theirs', async () => {
  const desk = await openDesk(ground);
  const assigned = { assignee_id: desk.ben.id };
  const open = await Promise.all(Array.from({ length: 60 }, () => desk.make(assigned)));
  const solved = await desk.make(assigned);
  await desk.change(solved.id, { status: 'solved' });
  const free = await desk.make();

  await releaseTickets.run(desk.as({ actor: { kind: 'job' } }), { agent_id: desk.ben.id });

  for (const { id } of open) expect(await desk.get(id)).toMatchObject({ assignee: null, status: 'open' });
  expect(await desk.get(solved.id)).toMatchObject({ assignee: desk.ben });
  expect(await desk.events('ticket_updated')).toHaveLength(open.length + 1);
  const [last] = (await desk.audit(open[0]?.id ?? 0)).slice(-1);
  expect(last).toEqual(['agent_removed', { assignee: [desk.ben, null] }]);
  expect(await desk.audit(free.id)).toHaveLength(1);
});
