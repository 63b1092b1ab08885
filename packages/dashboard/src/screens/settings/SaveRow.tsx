import { Button } from '../../ui/Button.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { t } from './t.ts';

interface SaveRowProps {
  dirty: boolean;
  saving: boolean;
  onUndo(): void;
}

/** The end of a form of settings, which asks before the page is left with something unsaved. */
export const SaveRow = ({ dirty, saving, onUndo }: SaveRowProps) => (
  <div className="mt-8 flex items-center gap-3">
    <Button type="submit" look="primary" disabled={!dirty} busy={saving}>
      {saving ? t('saving') : t('save')}
    </Button>
    {dirty ? (
      <Button look="quiet" onClick={onUndo}>
        {t('undo')}
      </Button>
    ) : null}
    <LeaveGuard dirty={dirty} />
  </div>
);
