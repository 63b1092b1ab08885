import type { Session } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { callQuery } from '../../../call-queries.ts';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { summaryWords } from '../../../words.ts';
import { t } from './t.ts';

/** A summary of the chat for the next agent, to copy or add as a note. */
export function SummaryDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { outbox } = useDesk();
  const { session_id, last_seq } = session;
  const { data, error, refetch } = useQuery(
    callQuery(['copilot', 'summary', session_id, last_seq], 'copilot.summarise', { session_id }),
  );
  const words = (data?.text ?? '').split('\n').map(summaryWords).join('\n');
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('summary')}
      foot={
        <>
          <Button onClick={onClose}>{tCommon('close')}</Button>
          <Button
            disabled={!data}
            icon={<Lock aria-hidden className="size-4" />}
            onClick={() => {
              if (!data) return;
              outbox.add({ place: session_id, kind: 'note', text: words });
              toast.success(t('summary_noted'));
              onClose();
            }}
          >
            {t('summary_add')}
          </Button>
        </>
      }
    >
      {data ? (
        <CopyBox wrap text={words} label={t('summary_copy')} />
      ) : (
        <Waiting error={error} retry={refetch} failed={t('summary_none')} height="h-32" />
      )}
    </Dialog>
  );
}
