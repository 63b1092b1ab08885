import type { Session } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { call } from '../../../../api.ts';
import { COMMANDS } from '../../../../commands/commands.ts';
import { IconButton } from '../../../../ui/Button.tsx';
import { toast } from '../../../../ui/toasts/toast-store.ts';
import { t } from '../t.ts';

/**
 * Asks what published knowledge says about the visitor's last question. Sends nothing: the suggestion is appended
 * to the draft.
 */
export function useSuggestion(session: Session, onText: (text: string) => void) {
  return useMutation({
    mutationFn: () => call('copilot.suggest', { session_id: session.session_id }),
    onSuccess: ({ text }) => {
      if (text !== null) onText(text);
    },
    onError: (error) => toast.error(t('suggest_failed'), error),
  });
}

export function SuggestButton({ busy, onSuggest }: { busy: boolean; onSuggest: () => void }) {
  return (
    <IconButton label={t('suggest')} shortcut={COMMANDS.suggest.keys} busy={busy} onClick={onSuggest}>
      <Sparkles aria-hidden className="size-4" />
    </IconButton>
  );
}
