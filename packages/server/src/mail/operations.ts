import { type AnyOperation, adminsRead, adminsWrite, agentsRead, operation } from '../core/operation.ts';
import { clearMailServer, getMailSetup, sendTestMail, setMailServer } from './setup.ts';
import { sendsMail } from './site-mailer.ts';

const adminsChange = { who: ['admin'], scope: 'write', audit: 'site' } as const;

/** How a site's mails leave. */
export const mailOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'mail.get',
    summary: 'How the site sends mail, what its domain needs for that, and what did not go lately',
    run: getMailSetup,
  }),
  operation({
    ...agentsRead,
    name: 'mail.status',
    summary: 'Whether the site sends mail at all',
    run: async (ctx) => ({ sends_mail: await sendsMail(ctx) }),
  }),
  operation({
    ...adminsChange,
    name: 'mail.set',
    summary: 'Sets up a mail server for the site; SMTP_URL wins over it',
    run: setMailServer,
  }),
  operation({
    ...adminsChange,
    name: 'mail.clear',
    summary: 'Takes the site’s mail server away',
    run: clearMailServer,
  }),
  operation({
    ...adminsWrite,
    name: 'mail.test',
    summary: 'Sends a mail to the caller and tells what the mail server said',
    run: sendTestMail,
  }),
];
