import { expect, it } from 'vitest';
import { fixedAddress } from '../core/public-address.ts';
import { createSignedLinks, LINK_LIFE_MS } from './signed-links.ts';

const secret = 'a secret of thirty-two characters.';
const links = createSignedLinks({ address: fixedAddress('https://chat.example.com'), secret });
const now = new Date('2026-03-01T09:30:00.000Z');

const read = (url: string) => {
  const { pathname, searchParams } = new URL(url);
  const [siteId, id] = pathname.split('/').at(-1)?.split('-').map(Number) ?? [];
  return {
    siteId: siteId ?? 0,
    id: id ?? 0,
    expires: Number(searchParams.get('expires')),
    signature: searchParams.get('signature') ?? '',
  };
};

it('signs a link that is valid for 24 hours', () => {
  const link = read(links.urlOf(3, 14, now));
  expect(link).toMatchObject({ siteId: 3, id: 14 });
  expect(links.isGood(link, now)).toBe(true);
  expect(links.isGood(link, new Date(now.getTime() + LINK_LIFE_MS - 1000))).toBe(true);
  expect(links.isGood(link, new Date(now.getTime() + LINK_LIFE_MS))).toBe(false);
});

it('accepts no other record, site, time or signature, and none of another server', () => {
  const link = read(links.urlOf(3, 14, now));
  expect(links.isGood({ ...link, id: 15 }, now)).toBe(false);
  expect(links.isGood({ ...link, siteId: 31, id: 4 }, now)).toBe(false);
  expect(links.isGood({ ...link, expires: link.expires + 1 }, now)).toBe(false);
  expect(links.isGood({ ...link, signature: '' }, now)).toBe(false);
  expect(links.isGood({ ...link, signature: link.signature.slice(0, -2) }, now)).toBe(false);
  const others = createSignedLinks({
    address: fixedAddress('https://chat.example.com'),
    secret: `${secret}!`,
  });
  expect(others.isGood(link, now)).toBe(false);
});
