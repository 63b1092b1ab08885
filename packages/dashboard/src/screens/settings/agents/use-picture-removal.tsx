import type { Agent } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { agentsQuery } from '../../../queries.ts';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

/** The menu entry and dialog with which an admin removes a colleague's picture. */
export function usePictureRemoval(agent: Agent) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const item = {
    label: t('picture_remove'),
    icon: <ImageOff aria-hidden />,
    onSelect: () => setAsking(true),
  };
  return {
    items: agent.picture_url === null ? [] : [item],
    question: (
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t('picture_remove_ask', { name: agent.name })}
        action={t('picture_remove')}
        run={() => call('agents.remove_picture', { id: agent.id })}
        onDone={async () => {
          await client.invalidateQueries({ queryKey: agentsQuery.queryKey });
          setAsking(false);
          toast.success(t('picture_removed', { name: agent.name }));
        }}
      >
        {t('picture_remove_hint')}
      </ConfirmAction>
    ),
  };
}
