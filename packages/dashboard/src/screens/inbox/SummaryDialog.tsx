import type { Session } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { call } from '../../api.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyBox } from '../../ui/Copy.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Bone } from '../../ui/States.tsx';
import { say } from '../../ui/toast-store.ts';

/** A chat for who takes it on: to copy, or to leave as a note. */
export function SummaryDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { outbox } = useDesk();
  const { session_id, last_seq } = session;
  const { data, error, refetch } = useQuery({
    queryKey: ['copilot', 'summary', session_id, last_seq],
    queryFn: ({ signal }) => call('copilot.summarise', { session_id }, signal),
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Summary of the chat"
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            disabled={!data}
            icon={<Lock aria-hidden className="size-4" />}
            onClick={() => {
              if (!data) return;
              outbox.add(session_id, 'note', data.text);
              say('The summary stands in the chat as a note.');
              onClose();
            }}
          >
            Add as a note
          </Button>
        </>
      }
    >
      {data ? (
        <CopyBox wrap text={data.text} label="Copy the summary" />
      ) : error ? (
        <ErrorNote error={error} title="There is no summary." onRetry={() => void refetch()} />
      ) : (
        <Bone className="late pulse-soft h-32" />
      )}
    </Dialog>
  );
}
