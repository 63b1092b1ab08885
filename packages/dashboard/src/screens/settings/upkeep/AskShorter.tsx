import type { ChosenRetentionKind } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { lengthInWords } from './retention-words.ts';
import { t } from './t.ts';

interface AskShorterProps {
  kind: ChosenRetentionKind;
  /** The name of the kind. */
  title: string;
  days: number;
  onClose: () => void;
  save: { isPending: boolean; error: Error | null; mutate: () => void };
}

/** Says what would be deleted before it is. */
export function AskShorter({ kind, title, days, onClose, save }: AskShorterProps) {
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('ask_title', { kind: title, length: lengthInWords(days) })}
      action={t('ask_save')}
      busy={save.isPending}
      error={save.error}
      onConfirm={save.mutate}
    >
      <Older kind={kind} days={days} />
    </Confirm>
  );
}

function Older({ kind, days }: Pick<AskShorterProps, 'kind' | 'days'>) {
  const { data, error } = useQuery({
    queryKey: ['retention', 'preview', kind, days],
    queryFn: ({ signal }) => call('retention.preview', { kind, keep_days: days }, signal),
    staleTime: 0,
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return t('ask_counting');
  if (data.count === 0 && !data.at_least) return t('ask_none');
  return t(data.at_least ? 'ask_goes_more' : 'ask_goes', { count: data.count });
}
