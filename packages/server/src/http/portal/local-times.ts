import { hash } from 'node:crypto';
import { html } from '../../base/html.ts';

/** Shows times in the reader's time zone. Without scripts they stay in the site's zone, which they name. */
export const LOCAL_TIMES = html`<script>
const { lang } = document.documentElement;
const local = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, { dateStyle: 'long', timeStyle: 'short' });
for (const time of document.querySelectorAll('time')) time.textContent = local.format(new Date(time.dateTime));
</script>`;

/** The only script that the portal's Content-Security-Policy allows. */
export const LOCAL_TIMES_SOURCE = `'sha256-${hash('sha256', String(LOCAL_TIMES).slice('<script>'.length, -'</script>'.length), 'base64')}'`;
