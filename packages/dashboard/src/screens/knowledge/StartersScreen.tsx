import type { Starter } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, MessageCircleQuestion, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { startersQuery } from '../../queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { Page, Rows } from '../../ui/Page.tsx';
import { Empty, ListBones } from '../../ui/States.tsx';
import { complain } from '../../ui/toast-store.ts';

/** The questions that an empty chat offers as buttons. */
export function StartersScreen() {
  const { data, error, refetch, isPending } = useQuery(startersQuery);
  const [editing, setEditing] = useState<Starter | 'new' | null>(null);
  const starters = data?.items ?? [];
  const add = (
    <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setEditing('new')}>
      New starter
    </Button>
  );
  return (
    <Page
      place="starters"
      title="Conversation starters"
      back={{ to: '/knowledge', label: 'Knowledge' }}
      actions={starters.length > 0 ? add : null}
    >
      {isPending ? (
        <ListBones rows={3} face={false} />
      ) : error && !data ? (
        <ErrorNote error={error} title="The starters could not be loaded." onRetry={() => void refetch()} />
      ) : starters.length === 0 ? (
        <Empty icon={<MessageCircleQuestion />} title="No starters yet" action={add}>
          Buttons above an empty chat, with the questions that visitors ask most.
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
    onError: (error) => complain('The order was not changed', error),
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
      <Rows label="Starters">
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
              label={`Move “${starter.label}” up`}
              disabled={at === 0 || move.isPending}
              onClick={() => move.mutate([at, at - 1])}
            >
              <ArrowUp aria-hidden className="size-4" />
            </IconButton>
            <IconButton
              label={`Move “${starter.label}” down`}
              disabled={at === starters.length - 1 || move.isPending}
              onClick={() => move.mutate([at, at + 1])}
            >
              <ArrowDown aria-hidden className="size-4" />
            </IconButton>
            <IconButton label={`Edit “${starter.label}”`} onClick={() => onEdit(starter)}>
              <Pencil aria-hidden className="size-4" />
            </IconButton>
            <IconButton label={`Delete “${starter.label}”`} onClick={() => setDeleting(starter)}>
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          </li>
        ))}
      </Rows>
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={`Delete the starter “${deleting?.label ?? ''}”?`}
        action="Delete starter"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => deleting && remove.mutate(deleting.id)}
      >
        Its button goes from the widget. Chats that began with it stay.
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
      title={starter ? 'Edit the starter' : 'New starter'}
      save={save}
      fields={['label', 'prompt']}
      onClose={onClose}
    >
      <TextField
        label="On the button"
        required
        autoFocus
        maxLength={60}
        placeholder="Where is my order?"
        value={label}
        error={fields?.issue('label')}
        onChange={(event) => setLabel(event.target.value)}
      />
      <TextArea
        label="What is sent"
        required
        maxLength={500}
        placeholder="Where is my order, and when does it arrive?"
        value={prompt}
        error={fields?.issue('prompt')}
        onChange={(event) => setPrompt(event.target.value)}
      />
    </FormDialog>
  );
}
