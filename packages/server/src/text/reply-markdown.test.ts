import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectHarmless, HOSTILE, hostilePieces, NESTED } from '../../test/hostile-markdown.ts';
import { replyHtml, replyText } from './reply-markdown.ts';

const PICTURE = '/help/images/1-1-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
const BASE = 'https://chat.example';
const isOwnPicture = (path: string): boolean => path === PICTURE;
const onPage = (body: string): string => String(replyHtml(body, { base: '', isOwnPicture }));
const inMail = (body: string): string => String(replyHtml(body, { base: BASE, isOwnPicture }));
const asText = (body: string): string => replyText(body, { base: BASE, isOwnPicture });

describe('a reply in markdown', () => {
  it('keeps every line break, and treats nothing as markup that the desk shows as text', () => {
    expect(onPage('Thanks,\nAda\n--\nThe shop')).toBe('<p>Thanks,<br>\nAda<br>\n--<br>\nThe shop</p>\n');
    expect(onPage('    indented &copy; readme.md')).toBe('<p>indented &amp;copy; readme.md</p>\n');
    expect(onPage('# Title')).toBe('<p><strong>Title</strong></p>\n');
  });

  it('links from a mail to pages and pictures of this installation by their whole address', () => {
    expect(inMail('[Returns](/help/shop/returns)')).toContain(
      '<a href="https://chat.example/help/shop/returns"',
    );
    expect(inMail(`![A lamp](${PICTURE})`)).toContain(`<img src="${BASE}${PICTURE}" alt="A lamp"`);
    expect(inMail(`![A lamp](${BASE}${PICTURE})`)).toContain(`<img src="${BASE}${PICTURE}" alt="A lamp"`);
    expect(onPage('[Returns](/help/shop/returns)')).toContain('<a href="/help/shop/returns">');
  });

  it('loads no picture from elsewhere, and follows no link that leads nowhere from here', () => {
    const elsewhere = onPage('![A lamp](https://spy.example/pixel.png)');
    expect(elsewhere).toBe(
      '<p><a href="https://spy.example/pixel.png" rel="noopener noreferrer">A lamp</a></p>\n',
    );
    expect(onPage('[x](other) [y](#top) [z](//evil.example)')).toBe('<p>x y z</p>\n');
  });

  it.each(HOSTILE)('%j is text, or a link that runs nothing', (body) => {
    expectHarmless(onPage(body));
    expect(() => asText(body)).not.toThrow();
  });

  it('no mixture of it becomes an element of its own', () => {
    fc.assert(
      fc.property(hostilePieces, (pieces) => expectHarmless(onPage(pieces.join('')))),
      { numRuns: 500 },
    );
  });

  it('is rendered in time, however deep it is nested', () => {
    for (const body of NESTED) {
      expectHarmless(onPage(body));
      expect(() => asText(body)).not.toThrow();
    }
  });
});

describe('a reply for a reader of plain text', () => {
  it.each([
    ['Ask **Mia**, *please*: `x`.', 'Ask Mia, please: x.'],
    ['One\ntwo\n\nthree', 'One\ntwo\n\nthree'],
    ['- one\n- two\n  1. deep\n  2. deeper', '- one\n- two\n  1. deep\n  2. deeper'],
    ['3. three\n4. four', '3. three\n4. four'],
    ['[Returns](/help/shop/returns)', 'Returns (https://chat.example/help/shop/returns)'],
    ['[bank.example](https://evil.example)', 'bank.example (https://evil.example)'],
    ['https://shop.example/ä', 'https://shop.example/ä'],
    ['<https://shop.example>', 'https://shop.example'],
    ['[ada@shop.example](mailto:ada@shop.example)', 'ada@shop.example'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    [`![A lamp](${PICTURE})`, `A lamp (${BASE}${PICTURE})`],
    ['> said\n> before', '> said\n> before'],
    ['```\na  b\n  c\n```', '    a  b\n      c'],
    ['| a | b |\n|---|---|\n| **1** | 2 |', 'a | b\n1 | 2'],
    ['not ~~ever~~ again', 'not ~ever~ again'],
    ['2 * 3 * 4, snake_case_name and <b>', '2 * 3 * 4, snake_case_name and <b>'],
  ])('%j is %j', (body, text) => {
    expect(asText(body)).toBe(text);
  });
});
