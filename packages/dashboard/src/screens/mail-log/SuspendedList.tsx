import type { ReceivedMail } from '@foyer/protocol';
import { DECISIONS_MAX } from '@foyer/protocol/values/bounds';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Ban, Check, MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { LogRow } from '../../ui/rows/LogRow.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { useDecide } from './decisions.ts';
import { MailTitle } from './MailTitle.tsx';
import { type MailLogFilter, receivedQuery } from './mail-log-filter.ts';
import { ReceivedDetail } from './ReceivedDetail.tsx';
import { senderOf } from './ReceivedList.tsx';
import { reasonWords } from './reason-words.ts';
import { t } from './t.ts';
import { useFilledPages } from './use-filled-pages.ts';

/** Mails that wait for a decision: accept them, or block their senders, one by one or several at once. */
export function SuspendedList({ filter }: { filter: MailLogFilter }) {
  const list = useInfiniteQuery(receivedQuery(filter));
  useFilledPages(list);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const mails = list.data?.pages.flatMap((page) => page.items) ?? [];
  const picked = mails.filter(({ id }) => chosen.has(id)).slice(0, DECISIONS_MAX);
  const choose = (id: number, on: boolean): void => {
    const next = new Set(chosen);
    if (on) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const isFiltered = Boolean(filter.q ?? filter.address ?? filter.ticket);
  return (
    <PagedList
      list={list}
      count={mails.length}
      label={t('view_suspended')}
      failed={t('failed')}
      empty={
        <Empty icon={<MailCheck />} title={t(isFiltered ? 'none_found' : 'none_suspended')}>
          {t(isFiltered ? 'none_found_hint' : 'none_suspended_hint')}
        </Empty>
      }
      head={
        <Bulk
          mails={mails}
          picked={picked}
          onAll={(on) => setChosen(new Set(on ? mails.slice(0, DECISIONS_MAX).map(({ id }) => id) : []))}
          onDone={() => setChosen(new Set())}
        />
      }
    >
      {mails.map((mail) => (
        <Row key={mail.id} mail={mail} chosen={chosen.has(mail.id)} onChoose={(on) => choose(mail.id, on)} />
      ))}
    </PagedList>
  );
}

interface BulkProps {
  mails: readonly ReceivedMail[];
  picked: readonly ReceivedMail[];
  onAll: (on: boolean) => void;
  onDone: () => void;
}

function Bulk({ mails, picked, onAll, onDone }: BulkProps) {
  const { decide, isPending } = useDecide();
  return (
    <div className="mb-2 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2 px-4 max-md:px-3">
      <label className="flex items-center gap-3 text-soft">
        <input
          type="checkbox"
          checked={picked.length > 0 && picked.length === Math.min(mails.length, DECISIONS_MAX)}
          onChange={({ target }) => onAll(target.checked)}
          className="size-4 accent-accent"
        />
        {picked.length > 0 ? t('chosen', { count: picked.length }) : t('choose_all')}
      </label>
      {picked.length > 0 ? (
        <div className="flex gap-2">
          <Button
            small
            look="primary"
            icon={<Check aria-hidden className="size-4" />}
            busy={isPending}
            onClick={() => decide(picked, 'accept', onDone)}
          >
            {t('accept')}
          </Button>
          <Button
            small
            icon={<Ban aria-hidden className="size-4" />}
            busy={isPending}
            onClick={() => decide(picked, 'block_address', onDone)}
          >
            {t('block_senders')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

interface RowProps {
  mail: ReceivedMail;
  chosen: boolean;
  onChoose: (on: boolean) => void;
}

function Row({ mail, chosen, onChoose }: RowProps) {
  const name = senderOf(mail);
  const reason = mail.reason === null ? '' : reasonWords(mail.reason);
  return (
    <LogRow
      lead={
        <label className="flex shrink-0 cursor-pointer items-center ps-4 pe-1 max-md:ps-3">
          <input
            type="checkbox"
            checked={chosen}
            onChange={({ target }) => onChoose(target.checked)}
            className="size-4 accent-accent"
          />
          <span className="sr-only">{t('choose', { name })}</span>
        </label>
      }
      title={<MailTitle name={name} subject={mail.subject || t('no_subject')} note={reason} />}
      note={mail.mailbox.address}
      badge={
        <span className="max-sm:hidden">
          <Badge tone="warn">{reason}</Badge>
        </span>
      }
      utc={mail.received_utc}
    >
      {() => <ReceivedDetail mail={mail} actions={<Decide mail={mail} />} />}
    </LogRow>
  );
}

function Decide({ mail }: { mail: ReceivedMail }) {
  const { decide, isPending } = useDecide();
  const address = mail.from?.address;
  const domain = address?.slice(address.lastIndexOf('@') + 1);
  return (
    <>
      <Button
        small
        look="primary"
        icon={<Check aria-hidden className="size-4" />}
        busy={isPending}
        onClick={() => decide([mail], 'accept')}
      >
        {t('accept')}
      </Button>
      {address && domain ? (
        <Menu
          label={t('block')}
          trigger={
            <Button small icon={<Ban aria-hidden className="size-4" />} busy={isPending}>
              {t('block')}
            </Button>
          }
          items={[
            { label: t('block_this', { sender: address }), onSelect: () => decide([mail], 'block_address') },
            {
              label: t('block_this', { sender: `@${domain}` }),
              onSelect: () => decide([mail], 'block_domain'),
            },
          ]}
        />
      ) : null}
    </>
  );
}
