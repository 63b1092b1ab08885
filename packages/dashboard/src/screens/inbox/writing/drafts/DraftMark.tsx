import { PencilLine } from 'lucide-react';
import { t } from '../t.ts';

/** In a list: there is an unsent draft. */
export const DraftMark = () => (
  <span className="inline-flex shrink-0 items-center gap-1 font-medium text-warn-text text-xs">
    <PencilLine aria-hidden className="size-3.5" />
    {t('draft')}
  </span>
);
