import { expect, test } from 'vitest';
import { isSameSite, pageUrl } from './addresses.ts';

test.each([
  ['https://shop.example/a', 'https://shop.example/b?c', true],
  ['https://shop.example/', 'https://www.shop.example/', true],
  ['http://www.shop.example/', 'https://shop.example/', true],
  ['https://shop.example/', 'http://shop.example/', false],
  ['https://shop.example/', 'https://shop.example:8443/', false],
  ['https://shop.example/', 'https://shop.example.evil.example/', false],
  ['https://shop.example/', 'https://help.shop.example/', false],
  ['http://127.0.0.1:81/', 'http://127.0.0.1:82/', false],
])('from %s a site may lead to %s: %s', (from, to, expected) => {
  expect(isSameSite(new URL(from), new URL(to))).toBe(expected);
});

test.each([
  ['https://shop.example/a#part', 'https://shop.example/a'],
  ['HTTPS://Shop.Example', 'https://shop.example/'],
  ['javascript:alert(1)', undefined],
  ['file:///etc/passwd', undefined],
  ['not a url', undefined],
])('%s is the page %s', (address, page) => {
  expect(pageUrl(address)?.href).toBe(page);
});
