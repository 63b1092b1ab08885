import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Download, Eraser, GitMerge, ShieldCheck, Ticket } from 'lucide-react';
import { Suspense, useState } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { lazyPart } from '../../../lazy-part.ts';
import { datedName, saveParts } from '../../../save-parts.ts';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { visitorName } from '../../../words.ts';
import { t } from '../t.ts';
import { MergeDialog } from './MergeDialog.tsx';
import { type Person, useChange } from './person-queries.ts';

const NewTicket = lazyPart(() => import('../../inbox/ticket/NewTicket.tsx'), 'NewTicket');

type Asking = 'ticket' | 'block' | 'merge' | 'erase';

/** Actions on a person. */
export function PersonMenu({ person }: { person: Person }) {
  const [asking, setAsking] = useState<Asking>();
  const items = usePersonItems(person, setAsking);
  const close = (): void => setAsking(undefined);
  return (
    <>
      <Menu label={t('more')} items={items} />
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

/** The actions on a person that the agent's role allows. */
function usePersonItems(person: Person, ask: (what: Asking) => void) {
  const mayAnswer = useMay('answer');
  const mayChange = useMay('people');
  const mayErase = useMay('personal_data');
  const unblock = useChange('visitors.unblock', { done: t('unblocked'), failed: t('not_changed') });
  const save = useMutation({
    mutationFn: () =>
      saveParts<string>(datedName('visitor', 'json'), 'application/json', (after) =>
        call('visitor_data.export', { key: person.key, ...after }),
      ),
    onError: (error) => toast.error(t('data_not_exported'), error),
  });
  return [
    mayAnswer && {
      label: t('new_ticket'),
      icon: <Ticket aria-hidden />,
      onSelect: () => ask('ticket'),
    },
    mayChange &&
      (person.blocked_utc
        ? {
            label: t('unblock'),
            icon: <ShieldCheck aria-hidden />,
            onSelect: () => unblock.mutate({ key: person.key }),
          }
        : { label: t('block'), icon: <Ban aria-hidden />, onSelect: () => ask('block') }),
    mayChange && {
      label: t('merge'),
      icon: <GitMerge aria-hidden />,
      onSelect: () => ask('merge'),
    },
    mayErase && {
      label: t('data_export'),
      icon: <Download aria-hidden />,
      onSelect: () => save.mutate(),
    },
    mayErase && {
      label: t('erase'),
      icon: <Eraser aria-hidden />,
      danger: true,
      onSelect: () => ask('erase'),
    },
  ];
}

function Block({ person, open, onClose }: { person: Person; open: boolean; onClose: () => void }) {
  const unblock = useChange('visitors.unblock', { done: t('unblocked'), failed: t('not_changed') });
  const block = useChange('visitors.block', { failed: t('not_changed') });
  const onSuccess = (): void => {
    onClose();
    toast.undoable(t('blocked_done'), () => unblock.mutate({ key: person.key }));
  };
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('block_question', { name: visitorName(person) })}
      action={t('block')}
      busy={block.isPending}
      onConfirm={() => block.mutate({ key: person.key }, { onSuccess })}
    >
      {t('block_detail')}
    </Confirm>
  );
}

/** A longer name is no longer typed but copied. */
const TYPED_MAX_CHARS = 40;

/** A name as it looks: what can't be seen can't be typed. */
const spelled = (name: string): string =>
  name
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Can't be undone, so the name must be typed; a word if the name is too long or has nothing to see. */
function Erase({ person, onClose }: { person: Person; onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const name = visitorName(person);
  const seen = spelled(name);
  const wanted = seen !== '' && seen.length <= TYPED_MAX_CHARS ? seen : t('erase_word');
  const form = useForm({
    initial: { typed: '' },
    save: () => call('visitors.erase', { key: person.key }),
    onSaved: async () => {
      await navigate({ to: '/visitors' });
      client.removeQueries({ queryKey: ['visitors', 'one', person.key] });
      // Chats and tickets show their visitor.
      for (const queryKey of [['visitors'], ['segments'], ['sessions'], ['tickets'], ['found']])
        void client.invalidateQueries({ queryKey });
      toast.success(t('erased'));
    },
  });
  return (
    <FormDialog
      title={t('erase_question', { name })}
      onClose={onClose}
      form={form}
      action={t('erase_do')}
      failure={t('not_erased')}
      disabled={spelled(form.values.typed) !== wanted}
      danger
    >
      <p>{t('erase_detail')}</p>
      <TextField label={t('erase_type', { name: wanted })} autoComplete="off" {...form.text('typed')} />
    </FormDialog>
  );
}
