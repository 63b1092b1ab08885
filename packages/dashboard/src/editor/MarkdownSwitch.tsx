import { cx } from '../ui/classes.ts';
import { t } from './t.ts';

interface MarkdownSwitchProps {
  isOn: boolean;
  onToggle: () => void;
}

/** Switches between the visual editor and markdown. */
export function MarkdownSwitch({ isOn, onToggle }: MarkdownSwitchProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className={cx(
        'ms-auto h-8 shrink-0 rounded-md px-2 font-medium text-xs max-md:h-10',
        isOn ? 'bg-accent-ground text-accent-text' : 'text-soft hover:bg-hover hover:text-text',
      )}
    >
      {t('markdown')}
    </button>
  );
}
