import type { Session } from '@foyer/protocol';
import { type ReactNode, Suspense, useState } from 'react';
import { useCommands } from '../../../../commands/commands.ts';
import { useDesk } from '../../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../../lazy-part.ts';
import { toast } from '../../../../ui/toasts/toast-store.ts';
import { t } from '../t.ts';
import type { Writing } from '../use-writing.ts';
import { SuggestButton, useSuggestion } from './SuggestReply.tsx';

const Rewritten = lazyPart(() => import('./Rewritten.tsx'), 'Rewritten');
const SuggestedFrom = lazyPart(() => import('./SuggestedFrom.tsx'), 'SuggestedFrom');
const RewriteMenu = lazyPart(() => import('./RewriteMenu.tsx'), 'RewriteMenu');

interface Copilot {
  /** Its buttons beside the box's own. */
  tools: ReactNode;
  /** The source of the suggestion, or Undo for a rewritten draft. */
  remark: ReactNode;
  /** Call it once the draft is sent. */
  reset: () => void;
}

/** Suggests and rewrites the reply of a chat while `isOn`; not for notes. */
export function useCopilot(session: Session, writing: Writing, isOn: boolean): Copilot {
  const { drafts } = useDesk();
  /** The draft before it was rewritten. */
  const [before, setBefore] = useState<string | null>(null);
  const suggestion = useSuggestion(session, (found) => {
    writing.insert(found, 'reply');
    setBefore(null);
  });
  const suggest = (): void => {
    if (!suggestion.isPending) suggestion.mutate();
  };
  useCommands({ suggest: isOn ? suggest : undefined });
  const takeRewritten = (rewritten: string, asked: string): void => {
    const { reply } = drafts.get(writing.place);
    // Text typed meanwhile isn't overwritten.
    if (reply.trim() !== asked) {
      toast.success(t('draft_kept'));
      return;
    }
    setBefore(reply);
    writing.put('reply', rewritten);
  };
  const reset = (): void => {
    suggestion.reset();
    setBefore(null);
  };
  if (!isOn) return { tools: null, remark: null, reset };
  const undo = (text: string) => (): void => {
    writing.put('reply', text);
    setBefore(null);
  };
  return {
    tools: (
      <>
        <SuggestButton busy={suggestion.isPending} onSuggest={suggest} />
        <Suspense>
          <RewriteMenu session={session} onRewritten={takeRewritten} />
        </Suspense>
      </>
    ),
    remark:
      before !== null ? (
        <Suspense>
          <Rewritten onUndo={undo(before)} />
        </Suspense>
      ) : suggestion.data ? (
        <Suspense>
          <SuggestedFrom suggested={suggestion.data} />
        </Suspense>
      ) : null,
    reset,
  };
}
