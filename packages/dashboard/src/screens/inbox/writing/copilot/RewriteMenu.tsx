import type { InputOf, Session } from '@foyer/protocol';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Languages, Scissors, Smile, SpellCheck, WandSparkles } from 'lucide-react';
import { call } from '../../../../api.ts';
import { useDesk } from '../../../../desk/DeskContext.tsx';
import { IconButton } from '../../../../ui/Button.tsx';
import { Menu } from '../../../../ui/Menu.tsx';
import { toast } from '../../../../ui/toasts/toast-store.ts';
import { botQuery } from '../../../bot/bot-queries.ts';
import { useDrafted } from '../drafts/use-draft.ts';
import { t } from '../t.ts';

type How = InputOf<'copilot.rewrite'>['how'];

const WAYS: { how: How; Icon: typeof Smile }[] = [
  { how: 'shorter', Icon: Scissors },
  { how: 'friendlier', Icon: Smile },
  { how: 'spelling', Icon: SpellCheck },
  { how: 'translate', Icon: Languages },
];

interface RewriteMenuProps {
  session: Session;
  /** The model's version, and the text that it was given. */
  onRewritten: (rewritten: string, before: string) => void;
}

/** Rewrites a draft; only with a language model. */
export function RewriteMenu({ session, onRewritten }: RewriteMenuProps) {
  const { drafts } = useDesk();
  const isEmpty = useDrafted(session.session_id, ({ reply }) => reply.trim() === '');
  const bot = useQuery(botQuery);
  const rewrite = useMutation({
    mutationFn: ({ how, draft }: { how: How; draft: string }) =>
      call('copilot.rewrite', { session_id: session.session_id, text: draft, how }),
    onSuccess: ({ text: written }, { draft }) => {
      if (written !== null) onRewritten(written, draft);
    },
    onError: (error) => toast.error(t('rewrite_failed'), error),
  });
  if (!bot.data?.has_model) return null;
  const idle = rewrite.isPending || isEmpty;
  return (
    <Menu
      label={t('rewrite')}
      side="top"
      disabled={idle}
      trigger={
        <IconButton label={t('rewrite')} busy={rewrite.isPending} disabled={idle}>
          <WandSparkles aria-hidden className="size-4" />
        </IconButton>
      }
      items={WAYS.map(({ how, Icon }) => ({
        label: t(`rewrite_${how}`),
        icon: <Icon aria-hidden />,
        onSelect: () => rewrite.mutate({ how, draft: drafts.get(session.session_id).reply.trim() }),
      }))}
    />
  );
}
