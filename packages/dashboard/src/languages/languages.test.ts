import { DESK_LANGUAGES } from '@foyer/protocol/values/languages';
import type { Phrases } from '@foyer/protocol/values/phrases';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectPlurals, expectSameKeys, formsOf } from '../../../protocol/test/phrase-faults.ts';
import { isSaid, sources, stringsShown } from '../../test/words-in-code.ts';
import { speak } from '../language.ts';
import { tCommon } from '../t-common.ts';

const tables: Record<string, Phrases> = import.meta.glob('../**/languages/??.ts', {
  import: 'words',
  eager: true,
});
const folders = Object.keys(tables)
  .filter((file) => file.endsWith('/en.ts'))
  .map((file) => file.replace('/en.ts', ''));
const tableOf = (folder: string, language: string): Phrases => tables[`${folder}/${language}.ts`] ?? {};

/** The module that speaks a folder's words. */
const moduleOf = (folder: string): string =>
  folder === '.' ? 't-common.ts' : `${folder.replace('../', '').replace(/\/?languages$/, '')}/t.ts`;

/** What German and English write alike. */
const ALIKE = [
  'Cc',
  'Bcc',
  '2FA',
  'Admin',
  'Agent',
  'Alt',
  'Anthropic',
  'Bot',
  'Bot: {text}',
  'Chat',
  'Chats',
  'Chat: {title}',
  'Code',
  'Passkeys',
  'OpenID Connect',
  'SAML 2.0',
  'Desktop',
  'Details',
  'Editor',
  'Emoji',
  'Esc',
  'Foyer',
  'Free',
  'Growth',
  'HTTP {status}',
  'IMAP',
  'SMTP',
  'Link',
  'Logo',
  'Mara Lind',
  'Markdown',
  'Median',
  'Name',
  'Normal',
  'Offline',
  'Online',
  'Person',
  'Port',
  'Position',
  'Pink',
  'Push',
  'Segment',
  'Segment: {name}',
  'Starter',
  'Server: {server}',
  'Server: {server}',
  'Sitemap',
  'Status',
  'System',
  'Tag',
  'Tags',
  'Team',
  'Teams',
  'SLA',
  'SLAs',
  'Team: {name}',
  'Ticket #{number}: {title}',
  'Team: {value}',
  'Team {name}',
  'Text',
  '· Team',
  'Team: {text}',
  'Test',
  'Tokens',
  'Ticket',
  'Ticket #{id}',
  'Tickets',
  'TXT {name}',
  'URL',
  'Variable',
  'Version {number}: {title}',
  'npx foyer site create --name Shop',
  'npx foyer site set-plan --site {site} --plan growth',
  'Webhook',
  'Webhooks',
  'Okta',
  'Issuer',
  'Widget',
  '{size} KB',
  '{number}. {step}',
  '{number} MB',
  '{number} ms',
  '{size} MB',
  'Spam',
];

/** Our name, names in the code, values of the wire, and names of products. */
const NO_WORDS = [
  ...['Foyer', '· Foyer', 'ApiError', 'Screen', 'Draft', 'Published', 'Archived'],
  ...['whsec_…', '<script async src="', 'Authorization'],
  ...['Gmail, Google Workspace', 'Microsoft 365, Outlook.com', 'Fastmail', 'Yahoo Mail', 'Posteo'],
  ...['Zoho Mail (zoho.com)', 'Zoho Mail (zoho.eu)', 'Google', 'Microsoft'],
  ...['Edge', 'Opera', 'Firefox', 'Chrome', 'Safari', 'Android', 'Windows', 'Linux'],
];

describe.each(folders)('the words of %s', (folder) => {
  const german = tableOf(folder, 'de');

  it('have the same keys and placeholders in German as in English', () => {
    expectSameKeys(tableOf(folder, 'en'), german);
  });

  it.each(DESK_LANGUAGES)('have the plurals of %s', (language) => {
    expectPlurals(language, tableOf(folder, language));
  });

  it('are all used', () => {
    const module = moduleOf(folder);
    expect(Object.keys(german).filter((key) => !isSaid(module, key))).toEqual([]);
  });

  it('are not left in English, except for those that are the same', () => {
    const left = Object.entries(tableOf(folder, 'en')).flatMap(([key, phrase]) =>
      formsOf(phrase).filter(
        (form) =>
          /\p{L}{2}/u.test(form.replace(/\{\w+\}/g, '')) &&
          !ALIKE.includes(form) &&
          formsOf(german[key] ?? '').includes(form),
      ),
    );
    expect(left).toEqual([]);
  });

  it('have typographic quotes and ellipses', () => {
    const typed = DESK_LANGUAGES.flatMap((language) => Object.values(tableOf(folder, language)))
      .flatMap(formsOf)
      .filter((form) => /["']|\.\.\./.test(form));
    expect(typed).toEqual([]);
  });
});

describe('the code', () => {
  it('shows no text that is in no table', () => {
    const shown = sources
      .flatMap(({ file, text }) => stringsShown(file, text))
      .filter((found) => !NO_WORDS.some((word) => found.endsWith(`: ${word}`)));
    expect(shown).toEqual([]);
  });

  it('with a text that is in no table is detected', () => {
    const code = `const f = () => <p title="Shown on hover" className="Not shown">is read {on ? 'or this' : t('key')}</p>;
      toast.error('This is said', error); if (key === 'Enter') throw new Error('Nobody reads it');`;
    expect(stringsShown('f.tsx', code)).toEqual([
      'f.tsx:1: Shown on hover',
      'f.tsx:1: is read',
      'f.tsx:1: or this',
      'f.tsx:2: This is said',
    ]);
  });
});

describe('a phrase', () => {
  beforeAll(() => speak('en'));

  it('has the plural form of its count, and numbers in the language’s format', async () => {
    expect(tCommon('file_too_many', { count: 1 })).toBe('Up to 1 file per message.');
    expect(tCommon('file_too_many', { count: 1200 })).toBe('Up to 1,200 files per message.');
    await speak('de');
    expect(tCommon('file_too_many', { count: 1200 })).toBe('Höchstens 1.200 Dateien pro Nachricht.');
  });

  it('keeps a person’s text exactly, including braces', () => {
    expect(tCommon('request', { id: '$& {name}' })).toBe('Anfrage $& {name}');
  });
});
