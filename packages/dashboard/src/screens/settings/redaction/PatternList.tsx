import type { RedactionPattern } from '@foyer/protocol';
import {
  REDACTION_NAME_MAX,
  REDACTION_PATTERN_MAX,
  REDACTION_PATTERNS_MAX,
} from '@foyer/protocol/values/bounds';
import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';

interface PatternListProps {
  patterns: RedactionPattern[];
  /** An error concerning all of them. */
  issue: string | undefined;
  onChange(patterns: RedactionPattern[]): void;
}

/** The site's own patterns, each with the name that replaces a match. */
export function PatternList({ patterns, issue, onChange }: PatternListProps) {
  const set = (at: number, change: Partial<RedactionPattern>): void =>
    onChange(patterns.map((one, index) => (index === at ? { ...one, ...change } : one)));
  return (
    <>
      {patterns.length > 0 ? (
        <ul aria-label={t('pattern_list')} className="mb-3 space-y-2">
          {[...patterns.entries()].map(([at, { name, pattern }]) => (
            <li key={at} className="flex items-center gap-2">
              <TextField
                bare
                required
                maxLength={REDACTION_NAME_MAX}
                label={t('pattern_name', { number: at + 1 })}
                placeholder={t('pattern_name_example')}
                frame="flex-1"
                value={name}
                onChange={(event) => set(at, { name: event.target.value })}
              />
              <TextField
                bare
                required
                maxLength={REDACTION_PATTERN_MAX}
                label={t('pattern', { number: at + 1 })}
                placeholder={t('pattern_example')}
                frame="flex-1 font-mono"
                value={pattern}
                onChange={(event) => set(at, { pattern: event.target.value })}
              />
              <IconButton
                label={t('pattern_remove', { name: name || t('pattern_unnamed', { number: at + 1 }) })}
                onClick={() => onChange(patterns.filter((_, index) => index !== at))}
              >
                <X aria-hidden className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      {issue ? <p className="mb-3 text-danger-text">{t('patterns_wrong', { problem: issue })}</p> : null}
      <Button
        small
        icon={<Plus aria-hidden className="size-4" />}
        disabled={patterns.length >= REDACTION_PATTERNS_MAX}
        onClick={() => onChange([...patterns, { name: '', pattern: '' }])}
      >
        {t('pattern_add')}
      </Button>
    </>
  );
}
