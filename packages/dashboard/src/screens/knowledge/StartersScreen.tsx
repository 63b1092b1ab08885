import type { Starter } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, MessageCircleQuestion, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { base } from '../../base.ts';
import { startersQuery } from '../../queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Page, Rows } from '../../ui/Page.tsx';
import { Empty, ListBones } from '../../ui/States.tsx';
import { complain } from '../../ui/toast-store.ts';
import { t } from './t.ts';

/** The questions that an empty chat offers as buttons. */
export function StartersScreen() {
  const { data, error, refetch, isPending } = useQuery(startersQuery);
  const [editing, setEditing] = useState<Starter | 'new' | null>(null);
  const starters = data?.items ?? [];
  const add = (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setEditing('new')}>
      {t('starter_new')}
    </Button>
  );
  return (
    <Page
      place="starters"
      title={t('starters')}
      back={{ to: '/knowledge', label: base('nav_knowledge') }}
      actions={starters.length > 0 ? add : null}
    >
      {isPending ? (
        <ListBones rows={3} face={false} />
      ) : error && !data ? (
        <ErrorNote error={error} title={t('starters_failed')} onRetry={() => void refetch()} />
      ) : starters.length === 0 ? (
        <Empty icon={<MessageCircleQuestion />} title={t('starters_none')} action={add}>
          {t('starters_none_hint')}
        </Empty>
      ) : (
        <StarterList starters={starters} onEdit={setEditing} />
      )}
      {editing ? (
        <StarterDialog
          starter={editing === 'new' ? null : editing}
          position={starters.reduce((most, one) => Math.max(most, one.position + 1), 0)}
          onClose={() => setEditing(null)}
        />
      ) : null}
    </Page>
  );
}

function StarterList({ starters, onEdit }: { starters: Starter[]; onEdit: (starter: Starter) => void }) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState<Starter | null>(null);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: startersQuery.queryKey });
  const move = useMutation({
    mutationFn: async ([from, to]: [number, number]) => {
      const order = starters.toSpliced(from, 1);
      const moved = starters[from];
      if (!moved) return;
      order.splice(to, 0, moved);
      for (const [position, starter] of order.entries()) {
        if (starter.position !== position) {
          await call('conversation_starters.update', { id: starter.id, position });
        }
      }
    },
    onError: (error) => complain(t('order_failed'), error),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: number) => call('conversation_starters.delete', { id }),
    onSuccess: async () => {
      await refresh();
      setDeleting(null);
    },
  });
  return (
    <>
      <Rows label={t('starters_list')}>
        {starters.map((starter, at) => (
          <li key={starter.id} className="flex items-center gap-2 py-2 ps-4 pe-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">
                <bdi>{starter.label}</bdi>
              </p>
              <p className="truncate text-soft">
                <bdi>{starter.prompt}</bdi>
              </p>
            </div>
            <IconButton
              label={t('move_up', { name: starter.label })}
              disabled={at === 0 || move.isPending}
              onClick={() => move.mutate([at, at - 1])}
            >
              <ArrowUp aria-hidden className="size-4" />
            </IconButton>
            <IconButton
              label={t('move_down', { name: starter.label })}
              disabled={at === starters.length - 1 || move.isPending}
              onClick={() => move.mutate([at, at + 1])}
            >
              <ArrowDown aria-hidden className="size-4" />
            </IconButton>
            <IconButton label={t('edit_named', { name: starter.label })} onClick={() => onEdit(starter)}>
              <Pencil aria-hidden className="size-4" />
            </IconButton>
            <IconButton
              label={t('delete_named', { name: starter.label })}
              onClick={() => setDeleting(starter)}
            >
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          </li>
        ))}
      </Rows>
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={t('starter_delete_question', { name: deleting?.label ?? '' })}
        action={t('starter_delete')}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => deleting && remove.mutate(deleting.id)}
      >
        {t('starter_delete_hint')}
      </Confirm>
    </>
  );
}

interface StarterDialogProps {
  starter: Starter | null;
  /** Where a new one goes. */
  position: number;
  onClose: () => void;
}

function StarterDialog({ starter, position, onClose }: StarterDialogProps) {
  const [label, setLabel] = useState(starter?.label ?? '');
  const [prompt, setPrompt] = useState(starter?.prompt ?? '');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      starter
        ? call('conversation_starters.update', { id: starter.id, label, prompt })
        : call('conversation_starters.create', { label, prompt, position }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: startersQuery.queryKey });
      onClose();
    },
  });
  const fields = save.error instanceof ApiError ? save.error : undefined;
  return (
    <FormDialog
      title={t(starter ? 'starter_edit' : 'starter_new')}
      save={save}
      fields={['label', 'prompt']}
      onClose={onClose}
    >
      <TextField
        label={t('starter_label')}
        required
        autoFocus
        maxLength={60}
        placeholder={t('starter_label_example')}
        value={label}
        error={fields?.issue('label')}
        onChange={(event) => setLabel(event.target.value)}
      />
      <TextArea
        label={t('starter_prompt')}
        required
        maxLength={500}
        placeholder={t('starter_prompt_example')}
        value={prompt}
        error={fields?.issue('prompt')}
        onChange={(event) => setPrompt(event.target.value)}
      />
    </FormDialog>
  );
}
