import { expect, it } from 'vitest';
import { html, linked } from './html.ts';

it('escapes every value, in text and in attributes', () => {
  const hostile = `"><script>alert('x')</script>&amp;`;
  expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</p>',
  );
});

it('includes HTML as it is, and lists of it, once', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  expect(String(html`<ul>${items}</ul>${false}${null}${undefined}${0}`)).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  );
});

it('turns web addresses alone into links, without the punctuation that ends the sentence', () => {
  expect(String(linked('See https://a.example/x?a=1&b=2. Or (http://b.example)!'))).toBe(
    'See <a href="https://a.example/x?a=1&amp;b=2" rel="noopener noreferrer nofollow ugc">https://a.example/x?a=1&amp;b=2</a>. ' +
      'Or (<a href="http://b.example" rel="noopener noreferrer nofollow ugc">http://b.example</a>)!',
  );
  expect(String(linked('javascript:alert(1) data:text/html,x https://'))).not.toContain('<a');
  expect(String(linked('https://x.example/"onmouseover="alert(1)'))).toContain('&quot;onmouseover');
});
