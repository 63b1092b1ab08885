import { Lock, SendHorizontal } from 'lucide-react';
import type { Tab } from '../../../live/kept-draft.ts';
import { Button } from '../../../ui/Button.tsx';
import { useChatFiles } from './ComposerFiles.tsx';
import { useDrafted } from './drafts/use-draft.ts';
import { t } from './t.ts';

interface Sendable {
  place: string;
  tab: Tab;
  longest: number;
  withFiles: boolean;
}

/** Whether there is something to send, and nothing is too long. */
export function useSendable({ place, tab, longest, withFiles }: Sendable): boolean {
  const files = useChatFiles(place);
  const fits = useDrafted(place, (draft) => draft[tab].trim().length <= longest);
  const hasText = useDrafted(place, (draft) => draft[tab].trim() !== '');
  const filesAreThere =
    withFiles &&
    files.some(({ state }) => state === 'ready') &&
    !files.some(({ state }) => state === 'uploading');
  return fits && (hasText || filesAreThere);
}

/** Enabled when there is something to send. */
export function SendButton({ onSend, ...sendable }: Sendable & { onSend: () => void }) {
  const { tab } = sendable;
  const canSend = useSendable(sendable);
  return (
    <Button
      small
      look="primary"
      disabled={!canSend}
      onClick={onSend}
      icon={
        tab === 'note' ? (
          <Lock aria-hidden className="size-4" />
        ) : (
          <SendHorizontal aria-hidden className="size-4" />
        )
      }
    >
      {tab === 'note' ? t('add_note') : t('send')}
    </Button>
  );
}
