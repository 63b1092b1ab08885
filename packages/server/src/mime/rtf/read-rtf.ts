import { decoderOf } from '../code-pages.ts';
import { type Token, tokensOf } from './tokens.ts';

/** The content of an RTF message: HTML if its writer has packed HTML into it ([MS-OXRTFEX]). */
export interface RtfBody {
  text: string | null;
  html: string | null;
}

const DEPTH_MAX = 500;
/** Code pages of fonts by their `\fcharset`. */
const CHARSETS: Readonly<Record<number, number>> = {
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
/** Groups whose words aren't the message's. */
const ASIDE = new Set([
  'colortbl',
  'stylesheet',
  'info',
  'pict',
  'object',
  'header',
  'headerl',
  'headerr',
  'footer',
  'footerl',
  'footerr',
  'ftnsep',
  'listtable',
  'listoverridetable',
]);
const SIGNS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  row: '\n',
  sect: '\n',
  page: '\n',
  tab: '\t',
  cell: '\t',
  '\n': '\n',
  '\r': '\n',
  '~': '\u00a0',
  _: '\u2011',
  '{': '{',
  '}': '}',
  '\\': '\\',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
};

interface Group {
  /** Its content isn't shown. */
  isAside: boolean;
  /** It contains a tag of the packed HTML, unchanged. */
  isTag: boolean;
  /** Within `\htmlrtf`: only for readers of RTF. */
  isForRtf: boolean;
  isFonts: boolean;
  font: number;
  /** How many bytes stand for a `\u` where it isn't known. */
  fallback: number;
}

class RtfReader {
  #group: Group = {
    isAside: false,
    isTag: false,
    isForRtf: false,
    isFonts: false,
    font: 0,
    fallback: 1,
  };
  readonly #outer: Group[] = [];
  /** The first word of a group says what it is; after `\*`, readers may skip it. */
  #isFirst = false;
  #isOptional = false;
  readonly #fonts = new Map<number, number>();
  #codePage = 1252;
  #defaultFont = 0;
  #packed: 'html' | 'text' | undefined;
  #skip = 0;
  #bytes: number[] = [];
  #text = '';

  take(token: Token): void {
    if (token.kind === 'byte') {
      this.#isFirst = false;
      if (this.#skip > 0) this.#skip -= 1;
      else if (this.#isShown) this.#bytes.push(token.value);
      return;
    }
    // A font or group in between may change the code page.
    this.#flush();
    if (token.kind === 'open') this.#open();
    else if (token.kind === 'close') this.#close();
    else this.#word(token.name, token.value);
  }

  get body(): RtfBody {
    this.#flush();
    const whole = this.#text.replaceAll('\0', '').toWellFormed();
    return this.#packed === 'html' ? { text: null, html: whole } : { text: whole.trim(), html: null };
  }

  get #isShown(): boolean {
    const { isAside, isTag, isForRtf, isFonts } = this.#group;
    return !isAside && !isFonts && (isTag || !(isForRtf && this.#packed === 'html'));
  }

  #open(): void {
    if (this.#outer.length >= DEPTH_MAX) throw new RangeError('it is nested too deeply');
    this.#outer.push(this.#group);
    this.#group = { ...this.#group };
    this.#isFirst = true;
    this.#isOptional = false;
    this.#skip = 0;
  }

  #close(): void {
    this.#group = this.#outer.pop() ?? this.#group;
    this.#isFirst = false;
    this.#skip = 0;
  }

  #word(name: string, value: number | undefined): void {
    if (name === '*') {
      this.#isOptional = true;
      return;
    }
    if (this.#isFirst) this.#begin(name);
    this.#isFirst = false;
    const group = this.#group;
    if (name === 'ansicpg') this.#codePage = value || this.#codePage;
    else if (name === 'fromhtml' && value !== 0) this.#packed ??= 'html';
    else if (name === 'fromtext') this.#packed ??= 'text';
    else if (name === 'f') group.font = value ?? 0;
    else if (name === 'deff') this.#defaultFont = value ?? 0;
    else if (name === 'plain') group.font = this.#defaultFont;
    else if (name === 'fcharset' && group.isFonts) this.#fonts.set(group.font, value ?? 0);
    else if (name === 'uc') group.fallback = Math.min(Math.max(value ?? 1, 0), 4);
    else if (name === 'htmlrtf') group.isForRtf = value !== 0;
    else if (name === 'u' && value !== undefined) this.#unicode(value);
    else if (this.#isShown) this.#text += Object.hasOwn(SIGNS, name) ? SIGNS[name] : '';
  }

  #begin(name: string): void {
    if (name === 'fonttbl') this.#group.isFonts = true;
    else if (name === 'htmltag' && this.#packed === 'html') this.#group.isTag = true;
    else if (this.#isOptional || ASIDE.has(name)) this.#group.isAside = true;
  }

  #unicode(value: number): void {
    if (this.#isShown) this.#text += String.fromCharCode(value & 0xffff);
    this.#skip = this.#group.fallback;
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const page = CHARSETS[this.#fonts.get(this.#group.font) ?? 0] ?? this.#codePage;
    this.#text += decoderOf(page).decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
  }
}

/**
 * Reads the content of an RTF message, in time and memory proportional to its size.
 * @returns undefined for something else, or nothing to read
 */
export function readRtf(rtf: Buffer): RtfBody | undefined {
  if (!rtf.toString('latin1', 0, 5).startsWith('{\\rtf')) return undefined;
  const reader = new RtfReader();
  try {
    for (const token of tokensOf(rtf)) reader.take(token);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const { body } = reader;
  return body.text || body.html?.trim() ? body : undefined;
}
