import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../../desk/DeskContext.tsx';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { Section } from '../../../ui/Page.tsx';
import { mailboxesQuery } from '../mailboxes/mailbox-queries.ts';
import { useSiteChange } from '../use-site-form.ts';
import { withValue } from '../with-value.ts';
import { t } from './t.ts';

const AWAY_MIN = [1, 2, 5, 10, 15, 30, 60, 120, 240, 1440];
const NEVER = '';
const ONLY_ONE = '';

const awayWords = (minutes: number): string =>
  minutes < 60 ? t('away_minutes', { count: minutes }) : t('away_hours', { count: minutes / 60 });

/** When visitors who left get what they haven't read by email, and from which mailbox. */
export function ChatEmails() {
  const { site } = useMe();
  const change = useSiteChange({ done: () => t('chat_emails_saved'), failed: t('chat_emails_failed') });
  const { data } = useQuery(mailboxesQuery);
  const mailboxes = data?.items ?? [];
  const { email_replies_after_min: after, chat_mailbox_id: mailbox } = site;
  return (
    <Section title={t('chat_emails')} intro={t('chat_emails_intro')}>
      <div className="space-y-4">
        <SelectField
          label={t('chat_emails_after')}
          frame="max-w-60"
          value={after ?? NEVER}
          onChange={({ target }) =>
            change.mutate({ email_replies_after_min: target.value === NEVER ? null : Number(target.value) })
          }
          options={[
            { value: NEVER, label: t('chat_emails_never') },
            ...withValue(AWAY_MIN, after ?? 10).map((minutes) => ({
              value: minutes,
              label: awayWords(minutes),
            })),
          ]}
        />
        {after !== null && mailboxes.length > 1 ? (
          <SelectField
            label={t('chat_emails_from')}
            hint={mailbox === null ? t('chat_emails_from_hint') : undefined}
            frame="max-w-80"
            value={mailbox ?? ONLY_ONE}
            onChange={({ target }) =>
              change.mutate({ chat_mailbox_id: target.value === ONLY_ONE ? null : Number(target.value) })
            }
            options={[
              { value: ONLY_ONE, label: t('chat_emails_from_none') },
              ...mailboxes.map(({ id, address }) => ({ value: id, label: address })),
            ]}
          />
        ) : null}
        {data && mailboxes.length === 0 && after !== null ? (
          <p className="text-soft text-xs">{t('chat_emails_no_mailbox')}</p>
        ) : null}
      </div>
    </Section>
  );
}
