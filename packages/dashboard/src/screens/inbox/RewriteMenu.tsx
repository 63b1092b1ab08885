import type { InputOf, Session } from '@foyer/protocol';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Languages, Scissors, Smile, SpellCheck, WandSparkles } from 'lucide-react';
import { call } from '../../api.ts';
import { IconButton } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { complain } from '../../ui/toast-store.ts';
import { botQuery } from '../bot/bot-queries.ts';

type How = InputOf<'copilot.rewrite'>['how'];

const WAYS: { how: How; label: string; Icon: typeof Smile }[] = [
  { how: 'shorter', label: 'Shorter', Icon: Scissors },
  { how: 'friendlier', label: 'Friendlier', Icon: Smile },
  { how: 'spelling', label: 'Fix the spelling', Icon: SpellCheck },
  { how: 'translate', label: 'Into the visitor’s language', Icon: Languages },
];

interface RewriteMenuProps {
  session: Session;
  text: string;
  /** What the model made of the text as it was when it was asked. */
  onRewritten: (rewritten: string, before: string) => void;
}

/** Has a draft rewritten; only where a language model is configured. */
export function RewriteMenu({ session, text, onRewritten }: RewriteMenuProps) {
  const bot = useQuery(botQuery);
  const rewrite = useMutation({
    mutationFn: ({ how, draft }: { how: How; draft: string }) =>
      call('copilot.rewrite', { session_id: session.session_id, text: draft, how }),
    onSuccess: ({ text: written }, { draft }) => {
      if (written !== null) onRewritten(written, draft);
    },
    onError: (error) => complain('Your draft was not rewritten; it is as it was', error),
  });
  if (!bot.data?.has_model) return null;
  const idle = rewrite.isPending || text.trim() === '';
  return (
    <Menu
      label="Rewrite the draft"
      side="top"
      trigger={
        <IconButton label="Rewrite the draft" aria-busy={rewrite.isPending} disabled={idle}>
          <WandSparkles aria-hidden className="size-4" />
        </IconButton>
      }
      items={WAYS.map(({ how, label, Icon }) => ({
        label,
        icon: <Icon aria-hidden />,
        onSelect: () => rewrite.mutate({ how, draft: text.trim() }),
      }))}
    />
  );
}
