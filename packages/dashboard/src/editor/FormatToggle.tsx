import { Type } from 'lucide-react';
import { IconButton } from '../ui/Button.tsx';
import { t } from './t.ts';

interface FormatToggleProps {
  isShown: boolean;
  onToggle: () => void;
}

/** Shows the tools that format the text, or hides them. */
export function FormatToggle({ isShown, onToggle }: FormatToggleProps) {
  return (
    <IconButton label={t('formatting')} aria-expanded={isShown} onClick={onToggle}>
      <Type aria-hidden className="size-4" />
    </IconButton>
  );
}
