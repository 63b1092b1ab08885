import type { OutputOf, Session } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { call } from '../../../../api.ts';
import { COMMANDS } from '../../../../commands/commands.ts';
import { tCommon } from '../../../../t-common.ts';
import { IconButton } from '../../../../ui/Button.tsx';
import { toast } from '../../../../ui/toasts/toast-store.ts';
import { SourceLink } from '../../../knowledge/sources/SourceLink.tsx';
import { t } from '../t.ts';

type Suggested = OutputOf<'copilot.suggest'>;

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

/** The source of a suggestion, or that there is none. */
export function SuggestedFrom({ suggested: { text, sources, question } }: { suggested: Suggested }) {
  const [source] = sources;
  const words =
    question === null ? t('suggest_no_question') : text === null || !source ? t('suggest_none') : null;
  return (
    <p role="status" className="min-w-0 flex-1 text-soft text-xs sm:truncate">
      {words ??
        t.rich('suggest_from', {
          link: source ? (
            <SourceLink source={source} className="text-accent-text underline">
              <bdi>{source.title}</bdi>
            </SourceLink>
          ) : null,
        })}
    </p>
  );
}

/** The draft was rewritten, with Undo. */
export function Rewritten({ onUndo }: { onUndo: () => void }) {
  return (
    <p role="status" className="flex min-w-0 flex-1 items-center gap-2 truncate text-soft text-xs">
      {t.rich('rewritten', {
        undo: (
          <button type="button" onClick={onUndo} className="font-medium text-accent-text underline">
            {tCommon('undo')}
          </button>
        ),
      })}
    </p>
  );
}
