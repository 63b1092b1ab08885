import { hash } from 'node:crypto';
import type { DeskLanguage } from '@foyer/protocol';
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../base/html.ts';
import { deskSpeechOf } from '../i18n/desk-phrases.ts';
import { addressKey } from '../limits/address-key.ts';
import type { Limits } from '../limits/limits.ts';
import { takeAttempt } from './sign-in/guard.ts';

interface MailOffOptions {
  /** The language of the link's agent; undefined for a link that this installation hasn't created. */
  find(token: string): Promise<{ language: DeskLanguage; turnOff(): Promise<void> } | undefined>;
  limits: Limits;
}

const BODY_MAX_BYTES = 1_024;
/** The policy names it by its hash. */
const STYLE = html`body{margin:0;min-height:100dvh;display:grid;place-items:center;font:15px/22px system-ui,sans-serif}main{max-width:26rem;padding:24px}h1{font-size:18px;line-height:26px;margin:0 0 8px}p{margin:0 0 20px}button{min-height:40px;padding:0 16px;border:0;border-radius:8px;background:#0f6b68;color:#fff;font:inherit;font-weight:600;cursor:pointer}`;
const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', String(STYLE), 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

const page = (language: DeskLanguage, title: string, rest: Html): string =>
  String(html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title>
<style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${rest}</main></body></html>`);

/**
 * The link that turns off notification mails, without sign-in. Opening it changes nothing, because mail scanners
 * open every link. A mail program's one-click unsubscribe is a POST (RFC 8058), like the page's own button.
 */
export async function registerMailOff(
  server: FastifyInstance,
  { find, limits }: MailOffOptions,
): Promise<void> {
  const attempts = limits.of('mail off');
  await server.register(async (door) => {
    // The body adds nothing to the address.
    door.addContentTypeParser(
      '*',
      { bodyLimit: BODY_MAX_BYTES, parseAs: 'string' },
      (_request, _body, done) => done(null),
    );
    door.route<{ Params: { token: string } }>({
      method: ['GET', 'POST'],
      url: '/mail-off/:token',
      async handler(request, reply) {
        await takeAttempt(attempts, addressKey(request.ip));
        const found = await find(request.params.token);
        const { say, language } = deskSpeechOf(found?.language ?? 'en');
        void reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8');
        if (!found)
          return reply
            .code(404)
            .send(page(language, say('off_wrong'), html`<p>${say('off_wrong_text')}</p>`));
        if (request.method === 'GET') {
          const form = html`<p>${say('off_text')}</p><form method="post"><button>${say('off_button')}</button></form>`;
          return reply.send(page(language, say('off_title'), form));
        }
        await found.turnOff();
        return reply.send(page(language, say('off_done'), html`<p>${say('off_text')}</p>`));
      },
    });
  });
}
