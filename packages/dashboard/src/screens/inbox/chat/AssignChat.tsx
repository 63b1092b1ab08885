import type { AgentRef, Session, TeamRef } from '@foyer/protocol';
import { uuidV7 } from '@foyer/protocol/browser/ids';
import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { type KeyboardEvent, useState } from 'react';
import { takeTyped } from '../../../commands/typed-ahead.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { TextArea } from '../../../ui/forms/Field.tsx';
import { t as tInbox } from '../t.ts';
import { useTransfer } from './session-actions.ts';
import { t } from './t.ts';

/** Who gets a chat. */
export type Receiver = { agent: AgentRef } | { team: TeamRef };

interface AssignChatProps {
  session: Session;
  to: Receiver;
  onClose: () => void;
}

/** The note for a colleague, which mentions them, or for a team; undefined without text. */
function noteFor(to: Receiver, clientId: string, written: string) {
  const words = written.trim();
  if (words === '') return undefined;
  if ('team' in to) return { client_id: clientId, text: words };
  const { id, name } = to.agent;
  const text = words.includes(`@${name}`) ? words : `@${name} ${words}`;
  return { client_id: clientId, text, mentions: [{ id, name }] };
}

/** Assigns a chat to a colleague, or transfers it to a team's queue, with an optional note. Enter is enough. */
export function AssignChat({ session, to, onClose }: AssignChatProps) {
  const isTeam = 'team' in to;
  const { name } = isTeam ? to.team : to.agent;
  const transfer = useTransfer(session);
  const [clientId] = useState(uuidV7);
  const form = useForm({
    initial: { text: '' },
    save: ({ text }) => {
      const note = noteFor(to, clientId, text);
      return transfer.mutateAsync({
        ...(isTeam ? { to: null, team: to.team.id } : { to: to.agent.id }),
        done: tInbox(isTeam ? 'team_is' : 'assigned', { name }),
        ...(note ? { note } : {}),
      });
    },
    onSaved: onClose,
  });
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (!form.saving) form.save();
  };
  return (
    <FormDialog
      title={t(isTeam ? 'team_to' : 'assign_to', { name })}
      action={tInbox('assign')}
      failure={tInbox('transfer_failed')}
      form={form}
      onClose={onClose}
    >
      <TextArea
        label={t(isTeam ? 'note_for_team' : 'note_for', { name })}
        hint={isTeam ? undefined : t('note_for_hint')}
        autoFocus
        maxLength={MESSAGE_MAX - name.length - 2}
        {...form.text('text')}
        onFocus={() => form.set({ text: form.values.text + takeTyped() })}
        onKeyDown={press}
        className="border-note-line bg-note-ground"
      />
    </FormDialog>
  );
}
