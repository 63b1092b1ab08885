import { describe, expect, it } from 'vitest';
import { compressedRtf, winmail } from '../../../test/mails/corpus/winmail.ts';
import type { MailFile, ParsedMail } from '../parsed-mail.ts';
import { unpack } from '../unpack.ts';
import { openWinmail } from '../winmail.ts';
import { decompressRtf, RTF_MAX_BYTES } from './compressed-rtf.ts';
import { readRtf } from './read-rtf.ts';

const read = (rtf: string) => readRtf(Buffer.from(rtf, 'latin1'));
const textOf = (rtf: string) => read(String.raw`{\rtf1\ansi\ansicpg1252${rtf}}`)?.text;

/** The examples of [MS-OXRTFCP] 3.1. */
const SIMPLE =
  '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0';
const CROSSING = '1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0';

describe('compressed RTF', () => {
  it('is decoded as in the examples of its specification', () => {
    expect(decompressRtf(Buffer.from(SIMPLE, 'hex'))?.toString()).toBe(
      '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
    );
    expect(decompressRtf(Buffer.from(CROSSING, 'hex'))?.toString()).toBe('{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}');
    const plain = Buffer.from('{\\rtf1 Hi}');
    const head = Buffer.from(SIMPLE, 'hex').subarray(0, 16);
    head.write('MELA', 8);
    head.writeUInt32LE(plain.length, 4);
    expect(decompressRtf(Buffer.concat([head, plain]))).toEqual(plain);
  });

  it('that is cut anywhere gives its beginning, and other data gives nothing', () => {
    const whole = Buffer.from(SIMPLE, 'hex');
    const text = decompressRtf(whole)?.toString() ?? '';
    for (let end = 0; end < whole.length; end++) {
      const found = decompressRtf(whole.subarray(0, end));
      if (end < 16) expect(found).toBeUndefined();
      else expect(text.startsWith(found?.toString() ?? '?')).toBe(true);
    }
    expect(decompressRtf(Buffer.alloc(64, 7))).toBeUndefined();
  });

  it('that is a bomb, or claims to be large, uses no more than its limit', () => {
    const bomb = compressedRtf('');
    bomb.writeUInt32LE(0xffff_ffff, 4);
    // Runs of eight references to the beginning, sixteen bytes each: the write position is never there, which would be
    // the end.
    const run = Buffer.concat([Buffer.of(0xff), Buffer.alloc(16, Buffer.of(0x00, 0x0e))]);
    const large = Buffer.concat([bomb, Buffer.alloc(run.length * 40_000, run)]);
    expect(decompressRtf(large)?.length).toBe(RTF_MAX_BYTES);
    expect(decompressRtf(bomb)?.length).toBe(0);
  });
});

describe('RTF', () => {
  it('gives its text, without fonts, styles, pictures and what readers may skip', () => {
    expect(
      textOf(
        String.raw`{\fonttbl{\f0\fswiss Arial;}}{\colortbl;\red0;}{\*\generator Riched20;}{\info{\title No}}\pard\b Dear\b0  Ann,\par\tab 1\cell 2\row{\pict\wmetafile8 0100}{\field{\*\fldinst HYPERLINK "x"}{\fldrslt Link}}\line \{a\}\\ \bin4 {{{{done`,
      ),
    ).toBe('Dear Ann,\n\t1\t2\nLink\n{a}\\ done');
  });

  it('has the letters of its code pages, fonts and Unicode, and no half of a pair', () => {
    expect(textOf(String.raw`caf\'e9 \u8364? \uc2\u26085\'93\'fa\uc0\u-10179\u-8704`)).toBe('café € 日😀');
    expect(
      textOf(
        String.raw`{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}}{\f1\'cf\'f0}\f2\'93\'fa\f0\'e4`,
      ),
    ).toBe('Пр日ä');
    expect(textOf(String.raw`a\u-10179 ?b\u0 ?c`)).toBe('a\ufffdbc');
  });

  it('returns the HTML that Outlook has packed into it', () => {
    expect(
      read(
        String.raw`{\rtf1\ansi\fromhtml1{\fonttbl{\f0 A;}}{\*\htmltag64 <p>}\htmlrtf \par\b \htmlrtf0 Price: {\*\htmltag84 &lt;}5 \'80{\*\htmltag72 </p>}{\*\mhtmltag84 <no>}\htmlrtf {\htmlrtf0}}`,
      ),
    ).toEqual({ text: null, html: '<p>Price: &lt;5 €</p>' });
    expect(textOf(String.raw`\fromtext Hi{\*\htmltag64 <p>}`)).toBe('Hi');
  });

  it('that is broken, empty or something else does no harm', () => {
    expect(read('hello')).toBeUndefined();
    expect(textOf('')).toBeUndefined();
    expect(textOf('{'.repeat(100_000))).toBeUndefined();
    expect(textOf(`${'}'.repeat(100_000)}end`)).toBe('end');
    for (const end of ['\\', "\\'", "\\'f", '\\u', '\\bin999999999 x', '{\\*', '\\f-', '\\uc-9 x'])
      expect(() => read(`{\\rtf1 a${end}`)).not.toThrow();
  });
});

describe('a winmail.dat', () => {
  const withRtf = (rtf: Buffer, body?: string) => winmail({ rtf, files: [], ...(body && { body }) });
  const open = (content: Buffer) => openWinmail(content, { readsRtf: true });

  it('has the text of its RTF if it has no other, and is kept if that can’t be read', () => {
    const rtf = compressedRtf('{\\rtf1 Only here}');
    expect(open(withRtf(rtf))).toMatchObject({ text: 'Only here', html: null, isPartial: false });
    expect(open(withRtf(rtf, 'Plain'))).toMatchObject({ text: 'Plain', isPartial: false });
    for (const broken of [Buffer.alloc(3), compressedRtf('none'), compressedRtf('{\\rtf1}')])
      expect(open(withRtf(broken))).toMatchObject({ text: null, isPartial: true });
  });

  it('is the only one of a mail whose RTF is read', async () => {
    const file = (rtf: string): MailFile => ({
      name: 'winmail.dat',
      contentType: 'application/ms-tnef',
      content: withRtf(compressedRtf(rtf)),
      contentId: null,
      isInline: false,
      method: null,
    });
    const mail = { text: null, html: null, files: [file('none'), file('{\\rtf1 Late}')] };
    const { text, files } = await unpack(mail as unknown as ParsedMail);
    expect([text, files.length]).toEqual([null, 2]);
  });
});
