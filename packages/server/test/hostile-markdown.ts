import fc from 'fast-check';
import { expect } from 'vitest';

/** Texts that try to become more than text. */
export const HOSTILE = [
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

/** The HTML has only elements, attributes and addresses that run nothing and load nothing from elsewhere. */
export function expectHarmless(html: string): void {
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

/** Mixtures of them, with markdown syntax between. */
export const hostilePieces = fc.array(
  fc.oneof(
    fc.constantFrom(...HOSTILE, '\n\n', '> ', '- ', '|', '`', '*', '[', '](', ')', '!', '<', '>', '"', '\\'),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
  ),
  { maxLength: 12 },
);

/** Texts that are nested far deeper than real ones. */
export const NESTED = [
  '> '.repeat(5_000),
  '- '.repeat(5_000),
  '['.repeat(50_000),
  '*a '.repeat(30_000),
  '`'.repeat(100_000),
];
