import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectHarmless, HOSTILE, hostilePieces, NESTED } from '../../../test/hostile-markdown.ts';
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

  it('gives each heading an id of its own, even if they have the same text or that of parts of the page', () => {
    const { headings } = renderArticle('## Main\n\n## How\n\n## How\n\n## ?!\n\n## Zurück');
    expect(headings.map(({ id }) => id)).toEqual(['main-2', 'how', 'how-2', 'article', 'zuruck']);
  });
});

describe('hostile markdown', () => {
  it.each(HOSTILE)('%j is text, or a link that runs nothing', (body) => {
    expectHarmless(rendered(body));
  });

  it('no mixture of it becomes an element of its own', () => {
    fc.assert(
      fc.property(hostilePieces, (pieces) => expectHarmless(rendered(pieces.join('')))),
      { numRuns: 1_000 },
    );
  });

  it('is rendered in time, however deep it is nested', () => {
    for (const body of NESTED) expectHarmless(rendered(body));
  });
});
