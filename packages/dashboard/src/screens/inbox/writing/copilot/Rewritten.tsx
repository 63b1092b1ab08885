import { tCommon } from '../../../../t-common.ts';
import { t } from '../t.ts';

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
