import { Button } from '../../ui/Button.tsx';

interface SaveRowProps {
  dirty: boolean;
  saving: boolean;
  onUndo(): void;
}

/** The end of a form of settings. */
export const SaveRow = ({ dirty, saving, onUndo }: SaveRowProps) => (
  <div className="mt-8 flex items-center gap-3">
    <Button type="submit" look="primary" disabled={!dirty} busy={saving}>
      {saving ? 'Saving…' : 'Save'}
    </Button>
    {dirty ? (
      <Button look="quiet" onClick={onUndo}>
        Undo changes
      </Button>
    ) : null}
  </div>
);
