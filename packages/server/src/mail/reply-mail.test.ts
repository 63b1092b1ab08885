import { LANGUAGES } from '@foyer/protocol';
import { expect, it } from 'vitest';
import { html } from '../base/html.ts';
import { composeReplyMail, type ReplyToMail } from './reply-mail.ts';
import { composeTranscriptMail } from './transcript-mail.ts';

const reply: ReplyToMail = {
  siteName: 'Lantern & Loom',
  siteColor: '#0f766e',
  language: 'en',
  requester: { name: null, address: 'priya@visitor.example' },
  subject: 'The lamp',
  said: { html: html`<p>A new one is on its way.</p>`, text: 'A new one is on its way.' },
  signature: null,
  agentName: 'Ada',
  answer: { by: 'page', url: 'https://chat.example/portal/x', fileNames: ['label.pdf'] },
  id: 'reply-1-1',
  thread: ['ticket-1-1'],
};

it('is in the site’s language around the reply’s text, and reads from right to left if the language does', () => {
  const german = composeReplyMail({ ...reply, language: 'de' });
  expect(german.text).toContain('A new one is on its way.');
  expect(german.text).toContain('Anhänge, auf der Seite unten: label.pdf');
  expect(german.html).toContain('<html lang="de" dir="ltr">');
  expect(composeReplyMail({ ...reply, language: 'ar' }).html).toContain('<html lang="ar" dir="rtl">');
});

it.each(LANGUAGES.filter((language) => language !== 'en'))('has no English in %s', (language) => {
  const mail = composeReplyMail({ ...reply, language });
  expect(mail.text + mail.html).not.toMatch(/Please|View and reply|anyone who/);
  const byMail = composeReplyMail({
    ...reply,
    language,
    answer: { by: 'mail', linkedFiles: [{ name: 'film.mov', url: 'https://chat.example/attachments/1' }] },
  });
  expect(byMail.text + byMail.html).not.toMatch(/Large files|You can|View and reply/);
  const transcript = composeTranscriptMail({
    siteName: reply.siteName,
    language,
    to: reply.requester,
    startedAt: new Date(0),
    lines: [],
    isCut: true,
    id: 'transcript-1-1',
  });
  expect(transcript.subject + transcript.text).not.toMatch(/Your chat|beginning|You requested/);
});
