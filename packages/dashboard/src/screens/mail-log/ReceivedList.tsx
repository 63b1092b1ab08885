import type { ReceivedMail } from '@foyer/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { LogRow } from '../../ui/rows/LogRow.tsx';
import { Badge } from '../../ui/States.tsx';
import { LogList } from './LogList.tsx';
import { MailTitle } from './MailTitle.tsx';
import { type MailLogFilter, receivedQuery } from './mail-log-filter.ts';
import { ReceivedDetail } from './ReceivedDetail.tsx';
import { reasonWords, toneOf } from './reason-words.ts';
import { t } from './t.ts';

/** Who a mail is from. */
export const senderOf = ({ from }: ReceivedMail): string => from?.name ?? from?.address ?? t('nobody');

/** Every received mail, with what became of it. */
export function ReceivedList({ filter }: { filter: MailLogFilter }) {
  return (
    <LogList
      list={useInfiniteQuery(receivedQuery(filter))}
      kind="received"
      filter={filter}
      icon={<Mail />}
      row={(mail) => (
        <LogRow
          key={mail.id}
          title={
            <MailTitle
              name={senderOf(mail)}
              subject={mail.subject || t('no_subject')}
              note={[t(`outcome_${mail.outcome}`), mail.reason === null ? '' : reasonWords(mail.reason)]
                .filter(Boolean)
                .join(' · ')}
            />
          }
          note={mail.reason === null ? null : reasonWords(mail.reason)}
          badge={
            <span className="max-sm:hidden">
              <Badge tone={toneOf(mail.outcome)}>{t(`outcome_${mail.outcome}`)}</Badge>
            </span>
          }
          utc={mail.received_utc}
        >
          {() => <ReceivedDetail mail={mail} />}
        </LogRow>
      )}
    />
  );
}
