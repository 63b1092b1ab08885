import { type AnyOperation, adminsRead, adminsWrite, agentsRead, operation } from '../core/operation.ts';
import { clearMailServer, getMailSetup, sendTestMail, setMailServer } from './setup.ts';
import { sendsMail } from './site-mailer.ts';

const adminsChange = { who: ['admin'], scope: 'write', audit: 'site' } as const;

/** How a site sends email. */
export const mailOperations: AnyOperation[] = [
  operation({
    ...adminsRead,
    name: 'mail.get',
    summary: 'Read the mail setup, the DNS records it needs, and recent failures',
    run: getMailSetup,
  }),
  operation({
    ...agentsRead,
    name: 'mail.status',
    summary: 'Read whether the site can send mail',
    run: async (ctx) => ({ sends_mail: await sendsMail(ctx) }),
  }),
  operation({
    ...adminsChange,
    name: 'mail.set',
    summary: 'Set up a mail server for the site; SMTP_URL takes precedence',
    run: setMailServer,
  }),
  operation({
    ...adminsChange,
    name: 'mail.clear',
    summary: 'Remove the site’s mail server',
    run: clearMailServer,
  }),
  operation({
    ...adminsWrite,
    name: 'mail.test',
    summary: 'Send the caller a test mail and return the mail server’s answer',
    run: sendTestMail,
  }),
];
