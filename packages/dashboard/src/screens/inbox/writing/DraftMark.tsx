import { PencilLine } from 'lucide-react';
import { t } from './t.ts';
import { useHasDraft } from './use-draft.ts';

/** In a list: something is written there and not sent. */
export function DraftMark({ place }: { place: string }) {
  if (!useHasDraft(place)) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1 font-medium text-warn-text text-xs">
      <PencilLine aria-hidden className="size-3.5" />
      {t('draft')}
    </span>
  );
}
