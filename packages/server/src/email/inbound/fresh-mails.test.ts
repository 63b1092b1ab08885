import { expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { mail, openMailDesk } from '../../../test/mails/mail-desk.ts';
import { FreshMails } from './fresh-mails.ts';
import { rawOf } from './received.ts';

const ground = useGround();
const MIB = 1024 * 1024;

it('a stored mail is the same where it was received, the second time, and in another process', async () => {
  const desk = await openMailDesk(ground);
  const raw = Buffer.from(mail({}, 'Where is my parcel? '.repeat(500)));
  const id = (await desk.store(raw)) as number;
  const here = (await rawOf(desk.ctx, [id])).get(id);
  expect(here?.equals(raw)).toBe(true);
  here?.fill(0);
  expect((await rawOf(desk.ctx, [id])).get(id)?.equals(raw)).toBe(true);
  const { services } = desk.ctx;
  const elsewhere = Object.assign(Object.create(desk.ctx), {
    services: { ...services, freshMails: new FreshMails() },
  });
  expect((await rawOf(elsewhere, [id, id + 1_000_000])).get(id)?.equals(raw)).toBe(true);
});

it('has room for 16 MiB, which is free again once they are taken', () => {
  const fresh = new FreshMails();
  for (let id = 1; id <= 20; id++) fresh.add(1, id, Buffer.alloc(MIB));
  expect(fresh.take(2, 1)).toBeUndefined();
  expect(Array.from({ length: 20 }, (_, at) => fresh.take(1, at + 1)).filter(Boolean)).toHaveLength(16);
  expect(fresh.take(1, 1)).toBeUndefined();
  fresh.add(1, 21, Buffer.alloc(MIB));
  expect(fresh.take(1, 21)?.length).toBe(MIB);
});
