import type { OutputOf, Session } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { call } from '../../api.ts';
import { IconButton } from '../../ui/Button.tsx';
import { complain } from '../../ui/toast-store.ts';

type Suggested = OutputOf<'copilot.suggest'>;

/**
 * Asks what published knowledge says to the visitor's last question. Nothing is sent: what comes goes into the draft,
 * behind what stands there.
 */
export function useSuggestion(session: Session, onText: (text: string) => void) {
  return useMutation({
    mutationFn: () => call('copilot.suggest', { session_id: session.session_id }),
    onSuccess: ({ text }) => {
      if (text !== null) onText(text);
    },
    onError: (error) => complain('There is no suggestion; your draft is as it was', error),
  });
}

export function SuggestButton({ busy, onSuggest }: { busy: boolean; onSuggest: () => void }) {
  return (
    <IconButton label="Suggest a reply" shortcut="g" aria-busy={busy} disabled={busy} onClick={onSuggest}>
      <Sparkles aria-hidden className="size-4" />
    </IconButton>
  );
}

/** Where a suggestion is from, or that there is none. */
export function SuggestedFrom({ suggested: { text, sources, question } }: { suggested: Suggested }) {
  const [source] = sources;
  const words =
    question === null
      ? 'The visitor has not asked anything yet.'
      : text === null || !source
        ? 'No published article answers this.'
        : null;
  return (
    <p role="status" className="min-w-0 flex-1 text-soft text-xs sm:truncate">
      {words ?? (
        <>
          From{' '}
          <Link
            to="/knowledge/$articleId"
            params={{ articleId: String(source?.article_id ?? '') }}
            className="text-accent-text underline"
          >
            <bdi>{source?.title}</bdi>
          </Link>
          . Not sent yet: read it first.
        </>
      )}
    </p>
  );
}

/** The draft is another now, and the one before is not lost. */
export function Rewritten({ onUndo }: { onUndo: () => void }) {
  return (
    <p role="status" className="flex min-w-0 flex-1 items-center gap-2 truncate text-soft text-xs">
      Rewritten, not sent yet.
      <button type="button" onClick={onUndo} className="font-medium text-accent-text underline">
        Undo
      </button>
    </p>
  );
}
