import { readMailboxProblem, SERVER_SAYS } from '@foyer/protocol/values/mail/mailbox-problems';
import { t } from './t.ts';

/** Defaults for every phrase's placeholders. */
const NO_VALUES = { host: '', port: '', protocol: '', detail: '', user: '', folder: '', provider: '' };

/** Why a connection fails, in the agent's language, and the server's own words; unknown sentences stay as they are. */
export function problemSaid(sentence: string): string {
  const read = readMailboxProblem(sentence);
  if (!read) return sentence;
  const said = t(`problem_${read.reason}`, { ...NO_VALUES, ...read.values });
  const answer = read.values.answer?.slice(SERVER_SAYS.length);
  return answer ? `${said} ${t('server_says', { answer })}` : said;
}
