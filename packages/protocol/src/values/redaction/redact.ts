import type { Redaction, RedactionPattern } from '../../sites/redaction.ts';
import { cardAt, digitAt, ibanAt, isGap, isInvisible, isLetter, isWordAt, type Span } from './numbers.ts';

/** "Password" in the widget's languages, and what else people call it. */
const PASSWORD_WORDS =
  /(?:password|passcode|passphrase|passwort|kennwort|mot de passe|contraseña|clave|senha|palavra-passe|wachtwoord|hasło|пароль|şifre|parola|lösenord|adgangskode|salasana|パスワード|暗証番号|密码|密碼|비밀번호|mật khẩu|كلمة المرور|كلمة السر)/giu;
/** The separator between the word and the password: `Password: x`, `my password is x`. */
const PASSWORD_LINK =
  /^["'»”)]?\s{0,3}(?:([:=：])|(?:is|ist|lautet|es|est|é|è|to|är|er|jest|это|は))\s{0,3}/iu;
const PASSWORD_MAX = 200;
const PASSWORD_MIN = 4;

/** After "is" most words are none: "my password is wrong". */
const looksSecret = (word: string): boolean =>
  /\d/.test(word) || /[^\p{L}\p{N}.,!?…]/u.test(word) || /\p{Ll}\p{Lu}/u.test(word);

function passwordsIn(text: string): Span[] {
  const found: Span[] = [];
  for (const { index, 0: name } of text.matchAll(PASSWORD_WORDS)) {
    const after = index + name.length;
    const link = PASSWORD_LINK.exec(text.slice(after, after + 20));
    if (!link) continue;
    const start = after + link[0].length;
    const [word = ''] = /^\S*/.exec(text.slice(start, start + PASSWORD_MAX)) ?? [];
    if (word.length >= PASSWORD_MIN && (link[1] !== undefined || looksSecret(word)))
      found.push({ start, end: start + word.length, shown: '••••••••' });
  }
  return found;
}

/** Whether a sign of a pattern is this character. */
function isSign(sign: string, text: string, at: number): boolean {
  const char = text.charAt(at);
  if (sign === '#') return digitAt(text, at) >= 0;
  if (sign === '@') return isLetter(char);
  if (sign === '*') return digitAt(text, at) >= 0 || isLetter(char);
  return sign.toLowerCase() === char.toLowerCase();
}

function patternAt(text: string, start: number, { name, pattern }: RedactionPattern): Span | undefined {
  let at = start;
  for (const sign of pattern) {
    while (at > start && at < text.length && isInvisible(text.charAt(at))) at++;
    if (sign === ' ') {
      if (at < text.length && isGap(text.charAt(at))) at++;
    } else if (at < text.length && isSign(sign, text, at)) at++;
    else return undefined;
  }
  return isWordAt(text, at) ? undefined : { start, end: at, shown: `[${name}]` };
}

type Finder = (text: string, start: number) => Span | undefined;

function findersOf({ kinds, patterns }: Redaction): Finder[] {
  return [
    ...(kinds.includes('card') ? [cardAt] : []),
    ...(kinds.includes('iban') ? [ibanAt] : []),
    ...patterns.map(
      (pattern): Finder =>
        (text, start) =>
          isWordAt(text, start - 1) ? undefined : patternAt(text, start, pattern),
    ),
  ];
}

const longer = (one: Span | undefined, other: Span | undefined): Span | undefined =>
  one && other && other.end <= one.end ? one : (other ?? one);

/** A number before a card's may check out with the beginning of the card's, of which the rest would stay. */
function withWhatBeginsIn(span: Span, text: string, finders: readonly Finder[]): Span {
  const { start, end } = span;
  for (let at = start + 1; at < end; at++)
    for (const find of finders) {
      const inner = find(text, at);
      if (inner && inner.end > end) return { ...inner, start };
    }
  return span;
}

/** In order, without overlaps; where two begin, the longer one. */
function spansIn(text: string, rules: Redaction): Span[] {
  const passwords = rules.kinds.includes('password') ? passwordsIn(text) : [];
  const finders = findersOf(rules);
  const found: Span[] = [];
  for (let at = 0, next = 0; at < text.length; ) {
    while ((passwords[next]?.start ?? at) < at) next++;
    const password = passwords[next]?.start === at ? passwords[next] : undefined;
    const span = finders.reduce<Span | undefined>((known, find) => longer(known, find(text, at)), password);
    const whole = span && withWhatBeginsIn(span, text, finders);
    if (whole) found.push(whole);
    at = whole?.end ?? at + 1;
  }
  return found;
}

/** Whether anything is redacted at all. */
export const redactsAnything = ({ kinds, patterns }: Redaction): boolean =>
  kinds.length > 0 || patterns.length > 0;

/**
 * Replaces what the rules name: of card and account numbers the last four digits stay, of passwords nothing, and a
 * pattern's match is its name in brackets. Takes time linear in the text.
 */
export function redact(text: string, rules: Redaction): string {
  if (!redactsAnything(rules)) return text;
  let shown = '';
  let from = 0;
  for (const span of spansIn(text, rules)) {
    shown += text.slice(from, span.start) + span.shown;
    from = span.end;
  }
  return from === 0 ? text : shown + text.slice(from);
}
