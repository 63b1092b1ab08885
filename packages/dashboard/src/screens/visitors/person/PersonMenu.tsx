import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Download, Eraser, GitMerge, ShieldCheck, Ticket } from 'lucide-react';
import { Suspense, useState } from 'react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { part } from '../../../part.ts';
import { datedName, saveParts } from '../../../save-parts.ts';
import { Confirm } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { complain, say } from '../../../ui/toast-store.ts';
import { visitorName } from '../../../words.ts';
import { t } from '../t.ts';
import { MergeDialog } from './MergeDialog.tsx';
import { type Person, useChange } from './person-queries.ts';

const NewTicket = part(() => import('../../inbox/NewTicket.tsx'), 'NewTicket');

type Asking = 'ticket' | 'block' | 'merge' | 'erase';

/** What can be done with a person as a whole. */
export function PersonMenu({ person }: { person: Person }) {
  const [asking, setAsking] = useState<Asking>();
  const isAdmin = useIsAdmin();
  const unblock = useChange('visitors.unblock', { done: t('unblocked'), failed: t('not_changed') });
  const save = useMutation({
    mutationFn: () =>
      saveParts<string>(datedName('visitor', 'json'), 'application/json', (after) =>
        call('visitor_data.export', { key: person.key, ...after }),
      ),
    onError: (error) => complain(t('data_not_exported'), error),
  });
  const close = (): void => setAsking(undefined);
  return (
    <>
      <Menu
        label={t('more')}
        items={[
          { label: t('new_ticket'), icon: <Ticket aria-hidden />, onSelect: () => setAsking('ticket') },
          person.blocked_utc
            ? {
                label: t('unblock'),
                icon: <ShieldCheck aria-hidden />,
                onSelect: () => unblock.mutate({ key: person.key }),
              }
            : { label: t('block'), icon: <Ban aria-hidden />, onSelect: () => setAsking('block') },
          { label: t('merge'), icon: <GitMerge aria-hidden />, onSelect: () => setAsking('merge') },
          isAdmin && {
            label: t('data_export'),
            icon: <Download aria-hidden />,
            onSelect: () => save.mutate(),
          },
          isAdmin && {
            label: t('erase'),
            icon: <Eraser aria-hidden />,
            danger: true,
            onSelect: () => setAsking('erase'),
          },
        ]}
      />
      {asking === 'ticket' ? (
        <Suspense>
          <NewTicket asker={person} onClose={close} />
        </Suspense>
      ) : null}
      <Block person={person} open={asking === 'block'} onClose={close} />
      {asking === 'merge' ? <MergeDialog person={person} onClose={close} /> : null}
      {asking === 'erase' ? <Erase person={person} onClose={close} /> : null}
    </>
  );
}

function Block({ person, open, onClose }: { person: Person; open: boolean; onClose: () => void }) {
  const block = useChange('visitors.block', { done: t('blocked_done'), failed: t('not_changed') });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('block_question', { name: visitorName(person) })}
      action={t('block')}
      busy={block.isPending}
      onConfirm={() => block.mutate({ key: person.key }, { onSuccess: onClose })}
    >
      {t('block_detail')}
    </Confirm>
  );
}

/** Nothing brings it back: whoever erases writes whom. */
function Erase({ person, onClose }: { person: Person; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const client = useQueryClient();
  const navigate = useNavigate();
  const name = visitorName(person);
  const erase = useMutation({
    mutationFn: () => call('visitors.erase', { key: person.key }),
    onSuccess: async () => {
      await navigate({ to: '/visitors' });
      client.removeQueries({ queryKey: ['visitors', 'one', person.key] });
      // Chats and tickets name whom they are with.
      for (const queryKey of [['visitors'], ['segments'], ['sessions'], ['tickets'], ['found']])
        void client.invalidateQueries({ queryKey });
      say(t('erased'));
    },
  });
  return (
    <FormDialog
      title={t('erase_question', { name })}
      onClose={onClose}
      save={erase}
      fields={[]}
      action={t('erase_do')}
      failure={t('not_erased')}
      disabled={typed.trim() !== name}
      danger
    >
      <p>{t('erase_detail', { count: person.event_count })}</p>
      <TextField
        label={t('erase_type', { name })}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FormDialog>
  );
}
