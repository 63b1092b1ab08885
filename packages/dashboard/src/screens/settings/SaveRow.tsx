import { useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { t } from './t.ts';

interface SaveRowProps {
  dirty: boolean;
  save: { isPending: boolean; reset: () => void };
  onUndo(): void;
}

/** The end of a form of settings, which asks before the page is left with something unsaved. */
export function SaveRow({ dirty, save, onUndo }: SaveRowProps) {
  const saving = save.isPending;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What was refused may be far above the button.
    if (!saving) row.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [saving]);
  return (
    <div ref={row} className="mt-8 flex items-center gap-3">
      <Button type="submit" look="primary" disabled={!dirty} busy={saving}>
        {saving ? t('saving') : t('save')}
      </Button>
      {dirty ? (
        <Button
          look="quiet"
          onClick={() => {
            onUndo();
            // What was refused is not there any more.
            save.reset();
          }}
        >
          {t('undo')}
        </Button>
      ) : null}
      <LeaveGuard dirty={dirty} />
    </div>
  );
}
