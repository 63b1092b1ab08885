import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanContentType, cleanFileName, contentDisposition } from './file-name.ts';

it.each([
  ['photo.jpg', 'photo.jpg'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\a photo.png', 'a photo.png'],
  ['.htaccess', 'htaccess'],
  ['a\r\nSet-Cookie: x.txt', 'a Set-Cookie_ x.txt'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['line\0\u0007.txt', 'line.txt'],
  ['a\t\0\tb.txt', 'a b.txt'],
  ['فاتورة.pdf', 'فاتورة.pdf'],
  ['👩‍💻.txt', '👩‍💻.txt'],
  ['', 'file'],
  ['../', 'file'],
  ['...', 'file'],
  ['\ud800.txt', '\ufffd.txt'],
])('cleans the name %j to %j', (given, clean) => {
  expect(cleanFileName(given)).toBe(clean);
});

it('keeps the ending of a name that is too long, and no half character', () => {
  expect(cleanFileName(`${'x'.repeat(500)}.pdf`)).toMatch(/^x{196}\.pdf$/);
  expect(cleanFileName(`${'x'.repeat(195)}${'👍'.repeat(20)}.pdf`).isWellFormed()).toBe(true);
});

it('turns any text into a name of 1 to 200 characters that is valid in a header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = cleanFileName(given);
      expect(name.length).toBeGreaterThan(0);
      expect(name.length).toBeLessThanOrEqual(200);
      expect(name).not.toMatch(/[\p{Cc}/\\\u202a-\u202e\u2066-\u2069]/u);
      expect(contentDisposition(name)).toMatch(
        /^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.~-]+$/,
      );
      expect(cleanFileName(name)).toBe(name);
    }),
  );
});

it('quotes nothing that ends the quotes', () => {
  expect(contentDisposition('a".txt; filename=b.html')).toBe(
    `attachment; filename="a_.txt; filename=b.html"; filename*=UTF-8''a%22.txt%3B%20filename%3Db.html`,
  );
  expect(contentDisposition("it's (1)*.txt")).toContain("UTF-8''it%27s%20%281%29%2A.txt");
});

it.each([
  ['image/PNG; charset=x', 'image/png'],
  [undefined, 'application/octet-stream'],
  ['text', 'application/octet-stream'],
  ['a/b\r\nX: y', 'application/octet-stream'],
  [`a/${'b'.repeat(200)}`, 'application/octet-stream'],
])('cleans the type %j to %j', (given, clean) => {
  expect(cleanContentType(given)).toBe(clean);
});
