import { hash } from 'node:crypto';
import { html } from '../../base/html.ts';

/** Shows times as the reader's clock has them; without a script they stay in the site's zone, which they name. */
export const LOCAL_TIMES = html`<script>
const { lang } = document.documentElement;
const local = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, { dateStyle: 'long', timeStyle: 'short' });
for (const time of document.querySelectorAll('time')) time.textContent = local.format(new Date(time.dateTime));
</script>`;

/** The one script that the portal's pages may run, for their Content-Security-Policy. */
export const LOCAL_TIMES_SOURCE = `'sha256-${hash('sha256', String(LOCAL_TIMES).slice('<script>'.length, -'</script>'.length), 'base64')}'`;
