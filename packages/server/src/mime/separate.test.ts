import { expect, it } from 'vitest';
import { htmlToText } from './html-text.ts';
import { sanitizeMailHtml } from './sanitize-mail-html.ts';
import { separate } from './separate.ts';

const ADDRESS = 'Ann <ann@x.example>';
const INTRODUCTIONS = [
  `On Mon, 2 Nov 2026 at 10:00, ${ADDRESS} wrote:`,
  `Am Mo., 2. Nov. 2026 um 10:00 Uhr schrieb ${ADDRESS}:`,
  `Le lun. 2 nov. 2026 à 10:00, ${ADDRESS} a écrit :`,
  'El lun, 2 nov 2026 a las 10:00, Ann (<ann@x.example>) escribió:',
  `Em seg., 2 de nov. de 2026 às 10:00, ${ADDRESS} escreveu:`,
  `Il giorno lun 2 nov 2026 alle ore 10:00 ${ADDRESS} ha scritto:`,
  `Op ma 2 nov 2026 om 10:00 schreef ${ADDRESS}:`,
  `pon., 2 lis 2026 o 10:00 ${ADDRESS} napisał(a):`,
  `${ADDRESS}, 2 Kas 2026 Pzt, 10:00 tarihinde şunu yazdı:`,
  `пн, 2 лист. 2026 р. о 10:00 ${ADDRESS} пише:`,
  `2026年11月2日(月) 10:00 ${ADDRESS}:`,
  `${ADDRESS} 于2026年11月2日周一 10:00写道：`,
  'في الاثنين، 2 نوفمبر 2026 في 10:00 م تمت كتابة ما يلي بواسطة Ann <\u202aann@x.example\u202c\u200f>:\u202c',
  '\u202bבתאריך יום ב׳, 2 בנוב׳ 2026 ב-10:00 מאת \u202aAnn\u202c\u200f <\u202aann@x.example\u202c\u200f>:\u202c',
];
const QUOTE = '> old line\n> another';

it.each(INTRODUCTIONS)(
  'the quote after "%s" is separated: below, above, and without marks',
  (introduction) => {
    for (const text of [
      `Yes.\n\n${introduction}\n\n${QUOTE}`,
      `${introduction}\n${QUOTE}\n\nYes.`,
      `Yes.\n\n${introduction}\nold line`,
    ]) {
      const { text: own, quoted } = separate(text);
      expect(own).toBe('Yes.');
      expect(quoted).toContain('old line');
      expect(quoted).toContain(introduction);
    }
  },
);

it.each([
  [
    'Outlook',
    'Yes.\n\n________________________________\nVon: Ann <a@x>\nGesendet: Montag\nAn: B\nBetreff: C\n\nold',
  ],
  ['an older Outlook', 'Yes.\n\n-----Original Message-----\nFrom: Ann\n\nold'],
  ['a signature', 'Yes.\n\n-- \nAnn\nold shop'],
  ['a phone', 'Yes.\n\nSent from my iPhone\n\nOn 2 Nov 2026, at 10:00, Ann <a@x.example> wrote:\n\n> old'],
])('the additions of %s are separated', (_, text) => {
  expect(separate(text)).toMatchObject({ text: 'Yes.', quoted: expect.stringContaining('old') });
});

it('answers between quotes keep them, and a mail that is only a quote stays as it is', () => {
  const between = 'On 2 Nov Ann wrote:\n> one\nanswer\n> two\nanswer';
  expect(separate(between)).toEqual({ text: between, quoted: null });
  expect(separate('> only')).toEqual({ text: '> only', quoted: null });
});

it('HTML becomes lines of text without hidden parts', async () => {
  const html =
    '<style>x</style><div>Hello <b>Ann</b></div><p>See <a href="https://a.example/x">here</a><br>line</p><ul><li>one</ul>';
  expect(await htmlToText(html)).toBe('Hello Ann\n\nSee here (https://a.example/x)\nline\n\n- one');
});

it('a mail’s HTML runs nothing, sends nothing and loads nothing', async () => {
  const hostile =
    '<p onclick="x()" style="color:red;background:url(http://e.example/x);position:fixed">hi<script>alert(1)</script><style>@import "x"</style><form action=x><input></form><img src="http://t.example/p.gif"><img src="cid:a@b"><a href="javascript:alert(1)">x</a><iframe src=x></iframe><img src=x onerror=alert(1)><link rel=stylesheet href=http://x><base href=http://x><meta http-equiv=refresh content=0><svg><script>1</script></svg>';
  const { html, blocked } = await sanitizeMailHtml(hostile, {
    cidUrl: (id) => `/files/${id}`,
    remote: 'block',
  });
  expect(blocked).toBe(1);
  expect(html).toContain('style="color:red"');
  expect(html).toContain('src="/files/a@b"');
  expect(html).not.toMatch(
    /script|onclick|onerror|javascript|http:|<form|<input|<iframe|<link|<base|<meta|<style|url\(|fixed/i,
  );
});

it('a mail’s HTML asks the proxy for 200 pictures at most', async () => {
  const { html } = await sanitizeMailHtml('<img src="https://t.example/p.png">'.repeat(1_000), {
    cidUrl: () => undefined,
    remote: 'proxy',
    proxyUrl: () => '/proxy',
  });
  expect(html.match(/<img/g)).toHaveLength(200);
});

it('HTML that is nested a hundred thousand times is read as text', async () => {
  const deep = `${'<div>'.repeat(100_000)}hi`;
  expect(await htmlToText(deep)).toBe('hi');
  expect(await sanitizeMailHtml(deep, { cidUrl: () => undefined, remote: 'block' })).toEqual({
    html: '<p>hi</p>',
    blocked: 0,
  });
});
