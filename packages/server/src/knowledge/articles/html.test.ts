import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderArticle } from './html.ts';

const rendered = (body: string): string => String(renderArticle(body).html);

describe('an article’s markdown', () => {
  it('becomes headings below the title, lists, tables, code and links', () => {
    const { html, headings } = renderArticle(
      '# Top\n\n## Deeper\n\n#### Low\n\n3. three\n4. **four**\n\n| a | b |\n|---|---|\n| 1 | ~~2~~ |\n\n```js\na<b\n```\n\n> said\n\n[x](https://a.example "t") [y](other) [z](#top)\n\nhttps://plain.example',
    );
    expect(headings).toEqual([
      { id: 'top-2', text: 'Top', level: 2 },
      { id: 'deeper', text: 'Deeper', level: 3 },
    ]);
    for (const part of [
      '<h2 id="top-2">Top</h2>',
      '<h5 id="low">Low</h5>',
      '<ol start="3">',
      '<li><strong>four</strong></li>',
      '<th scope="col">a</th>',
      '<td><s>2</s></td>',
      '<code>a&lt;b\n</code>',
      '<blockquote><p>said</p>',
      '<a href="https://a.example" rel="noopener noreferrer">x</a>',
      '<a href="other">y</a>',
      '<a href="#top">z</a>',
      '<a href="https://plain.example" rel="noopener noreferrer">https://plain.example</a>',
    ])
      expect(String(html)).toContain(part);
  });

  it('gives each heading an id of its own, also where they are called alike or like parts of the page', () => {
    const { headings } = renderArticle('## Main\n\n## How\n\n## How\n\n## ?!\n\n## Zurück');
    expect(headings.map(({ id }) => id)).toEqual(['main-2', 'how', 'how-2', 'article', 'zuruck']);
  });
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x](\u0001javascript:alert(1))',
  '[x](vbscript:msgbox)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x](javascript:alert(1))',
  '![" onerror="alert(1)](/help/images/1-1-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)',
  '![x](/help/images/../../app/)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](\\\\evil.example)',
  '[a]: javascript:alert(1)\n\n[a]',
  '<javascript:alert(1)>',
  '[x](https://a.example/"onmouseover="alert(1))',
  '[x](https://a.example "\\" onmouseover=\\"alert(1)")',
  '```"><script>alert(1)</script>\ncode\n```',
  '# <svg/onload=alert(1)>',
  '| <b onclick=x> |\n|---|\n| </table><script>x</script> |',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<style>*{display:none}</style>',
  '<!-- --><iframe src=//evil>',
  '<details open ontoggle=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}',
  '[x](HTTPS://evil.example\u202E)',
];

/** Every tag that the renderer writes, and every attribute. */
const TAG = /<(\/?)([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)>/g;
const ALLOWED =
  /^(?:h[2-6]|p|ul|ol|li|blockquote|pre|code|table|thead|tbody|tr|th|td|div|a|em|strong|s|img|hr|br)$/;
const ATTRIBUTE = /^(?:id|href|rel|src|alt|loading|decoding|start|scope|class|tabindex)$/;

function expectHarmless(html: string): void {
  const rest = html.replace(TAG, (_whole, _end, tag: string, attributes: string) => {
    expect(tag).toMatch(ALLOWED);
    for (const [, name = '', value = ''] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      expect(name).toMatch(ATTRIBUTE);
      if (name === 'href')
        expect(value).toMatch(/^(?:https?:\/\/|mailto:|tel:|#|\/(?![/\\])|[^:/\\?#]+(?:[/?#]|$))/i);
      if (name === 'src') expect(value).toMatch(/^\/help\/images\/\d+-\d+-[0-9a-f]{32}$/);
    }
    return '';
  });
  expect(rest).not.toMatch(/[<>]/);
}

describe('whatever an article holds', () => {
  it.each(HOSTILE)('%j is text, or a link that runs nothing', (body) => {
    expectHarmless(rendered(body));
  });

  it('no mixture of it becomes an element of its own', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        ...HOSTILE,
        '\n\n',
        '> ',
        '- ',
        '|',
        '`',
        '*',
        '[',
        '](',
        ')',
        '!',
        '<',
        '>',
        '"',
        '\\',
      ),
      fc.string({ unit: 'grapheme', maxLength: 10 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => expectHarmless(rendered(pieces.join('')))),
      { numRuns: 1_000 },
    );
  });

  it('is rendered in time, however deep it is nested', () => {
    for (const body of [
      '> '.repeat(5_000),
      '- '.repeat(5_000),
      '['.repeat(50_000),
      '*a '.repeat(30_000),
      '`'.repeat(100_000),
    ])
      expectHarmless(rendered(body));
  });
});
