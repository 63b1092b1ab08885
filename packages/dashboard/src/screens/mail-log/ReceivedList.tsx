import type { ReceivedMail } from '@foyer/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { LogRow } from '../../ui/rows/LogRow.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { MailTitle } from './MailTitle.tsx';
import { type MailLogFilter, receivedQuery } from './mail-log-filter.ts';
import { ReceivedDetail } from './ReceivedDetail.tsx';
import { reasonWords, toneOf } from './reason-words.ts';
import { t } from './t.ts';
import { useFilledPages } from './use-filled-pages.ts';

/** Who a mail is from. */
export const senderOf = ({ from }: ReceivedMail): string => from?.name ?? from?.address ?? t('nobody');

/** Every received mail, with what became of it. */
export function ReceivedList({ filter }: { filter: MailLogFilter }) {
  const list = useInfiniteQuery(receivedQuery(filter));
  useFilledPages(list);
  const mails = list.data?.pages.flatMap((page) => page.items) ?? [];
  const { view: _, ...filters } = filter;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <PagedList
      list={list}
      count={mails.length}
      label={t('view_received')}
      failed={t('failed')}
      empty={
        <Empty icon={<Mail />} title={t(isFiltered ? 'none_found' : 'none_received')}>
          {t(isFiltered ? 'none_found_hint' : 'none_received_hint')}
        </Empty>
      }
    >
      {mails.map((mail) => (
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
      ))}
    </PagedList>
  );
}
