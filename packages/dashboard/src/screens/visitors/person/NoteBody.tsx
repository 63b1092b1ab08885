import type { VisitorNote } from '@foyer/protocol';
import { VISITOR_NOTE_MAX } from '@foyer/protocol/values/bounds';
import { useState } from 'react';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { TextArea } from '../../../ui/forms/Field.tsx';
import { t } from '../t.ts';
import { useChange } from './person-queries.ts';

/** A note on a person, with the background of internal content. Its author edits it here. */
export function NoteBody({ note }: { note: VisitorNote }) {
  const { agent } = useMe();
  const isAdmin = useIsAdmin();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const remove = useChange('visitor_notes.delete', {
    done: t('note_deleted'),
    failed: t('note_not_deleted'),
  });
  const isMine = note.author.id === agent.id;
  if (editing) return <EditNote note={note} onClose={() => setEditing(false)} />;
  return (
    <div className="rounded-lg border border-note-line bg-note-ground px-3 py-2">
      <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
        {note.text}
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-soft text-xs">
        <bdi>{note.author.name}</bdi>
        {note.edited_utc ? <span>{t('note_edited')}</span> : null}
        {isMine ? (
          <button type="button" className="min-h-6 underline" onClick={() => setEditing(true)}>
            {t('note_edit')}
          </button>
        ) : null}
        {isMine || isAdmin ? (
          <button type="button" className="min-h-6 underline" onClick={() => setDeleting(true)}>
            {t('note_delete')}
          </button>
        ) : null}
      </p>
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('note_delete_question')}
        action={t('note_delete')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ id: note.id }, { onSuccess: () => setDeleting(false) })}
      >
        {t('note_delete_hint')}
      </Confirm>
    </div>
  );
}

function EditNote({ note, onClose }: { note: VisitorNote; onClose: () => void }) {
  const [text, setText] = useState(note.text);
  const change = useChange('visitor_notes.update', { done: t('saved'), failed: t('note_not_saved') });
  const save = (): void => change.mutate({ id: note.id, text: text.trim() }, { onSuccess: onClose });
  return <NoteForm text={text} onText={setText} busy={change.isPending} onSave={save} onCancel={onClose} />;
}

interface NoteFormProps {
  text: string;
  onText: (text: string) => void;
  busy: boolean;
  onSave: () => void;
  onCancel?: () => void;
}

/** Distinct from what visitors get, even while typing. */
export function NoteForm({ text, onText, busy, onSave, onCancel }: NoteFormProps) {
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <TextArea
        bare
        label={t('note_about')}
        placeholder={t('note_placeholder')}
        // One line until there is more, because the panel has little room.
        rows={text === '' ? 1 : 3}
        maxLength={VISITOR_NOTE_MAX}
        className="border-note-line bg-note-ground"
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      <div className={text === '' && !onCancel ? 'hidden' : 'flex flex-wrap items-center gap-2'}>
        <Button small type="submit" busy={busy} disabled={text.trim() === ''}>
          {t('note_save')}
        </Button>
        {onCancel ? (
          <Button small look="quiet" onClick={onCancel}>
            {t('note_cancel')}
          </Button>
        ) : null}
      </div>
    </form>
  );
}
