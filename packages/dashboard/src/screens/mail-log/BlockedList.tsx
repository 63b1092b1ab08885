import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { call } from '../../api.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/forms/Field.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { blockedQuery } from './mail-log-filter.ts';
import { t } from './t.ts';

const useRefresh = () => {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: blockedQuery.queryKey });
};

/** Addresses and domains whose mail is rejected. */
export function BlockedList() {
  const list = useInfiniteQuery(blockedQuery);
  const senders = list.data?.pages.flatMap((page) => page.items) ?? [];
  const refresh = useRefresh();
  const unblock = useMutation({
    mutationFn: ({ id }: { id: number; sender: string }) => call('blocked_senders.delete', { id }),
    onSuccess: (_, { sender }) => {
      toast.undoable(
        t('unblocked', { sender }),
        () => void call('blocked_senders.create', { sender }).then(refresh),
      );
      return refresh();
    },
    onError: (failure) => toast.error(t('unblock_failed'), failure),
  });
  return (
    <>
      <AddBlocked />
      <PagedList
        list={list}
        count={senders.length}
        label={t('view_blocked')}
        failed={t('failed')}
        empty={
          <Empty icon={<Ban />} title={t('none_blocked')}>
            {t('none_blocked_hint')}
          </Empty>
        }
      >
        {senders.map(({ id, sender, agent, created_utc }) => (
          <li key={id} className="flex items-center gap-3 px-4 py-2">
            <span className="wrap-anywhere min-w-0 flex-1">
              <bdi className="font-medium">{sender.includes('@') ? sender : `@${sender}`}</bdi>
              {agent ? (
                <span className="block text-soft text-xs">{t('blocked_by', { name: agent.name })}</span>
              ) : null}
            </span>
            <Ago utc={created_utc} className="shrink-0 text-faint text-xs" />
            <Button small look="quiet" onClick={() => unblock.mutate({ id, sender })}>
              {t('unblock')}
            </Button>
          </li>
        ))}
      </PagedList>
    </>
  );
}

function AddBlocked() {
  const [sender, setSender] = useState('');
  const refresh = useRefresh();
  const add = useMutation({
    mutationFn: () => call('blocked_senders.create', { sender: sender.replace(/^@/, '') }),
    onSuccess: () => {
      setSender('');
      return refresh();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (sender.trim() !== '') add.mutate();
  };
  return (
    <form onSubmit={submit} className="mb-4 flex max-w-lg items-start gap-2">
      <TextField
        bare
        label={t('sender')}
        placeholder={t('sender')}
        frame="flex-1"
        autoComplete="off"
        value={sender}
        fault={add.error ? t('bad_sender') : undefined}
        onChange={({ target }) => setSender(target.value)}
      />
      <Button type="submit" busy={add.isPending}>
        {t('block')}
      </Button>
    </form>
  );
}
