import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { useSiteChange } from '../use-site-form.ts';
import { t } from './t.ts';

const IDLE_HOURS = [1, 4, 8, 12, 24, 72, 168];
const MAX_DAYS = [1, 7, 14, 30, 90];
const NEVER = '';

/** The choices with what is set by the API, in order. */
const choicesOf = (known: readonly number[], set: number | null): number[] =>
  [...new Set([...known, ...(set === null ? [] : [set])])].sort((a, b) => a - b);

const chosen = (choice: string): number | null => (choice === NEVER ? null : Number(choice));

/** When agents have to sign in again. */
export function SessionRules() {
  const { site } = useMe();
  const admin = useIsAdmin();
  const save = useSiteChange({ done: () => t('sessions_saved'), failed: t('rule_failed') });
  const { session_idle_hours: idle, session_max_days: max } = site;
  const never = { value: NEVER, label: t('sessions_never') };
  const disabled = !admin || save.isPending;
  return (
    <div className="mt-6 grid max-w-xl gap-4 sm:grid-cols-2">
      <SelectField
        label={t('sessions_idle')}
        value={String(idle ?? NEVER)}
        disabled={disabled}
        onChange={(event) => save.mutate({ session_idle_hours: chosen(event.target.value) })}
        options={[
          never,
          ...choicesOf(IDLE_HOURS, idle).map((count) => ({
            value: String(count),
            label: t('sessions_hours', { count }),
          })),
        ]}
      />
      <SelectField
        label={t('sessions_max')}
        value={String(max ?? NEVER)}
        disabled={disabled}
        onChange={(event) => save.mutate({ session_max_days: chosen(event.target.value) })}
        options={[
          never,
          ...choicesOf(MAX_DAYS, max).map((count) => ({
            value: String(count),
            label: t('sessions_days', { count }),
          })),
        ]}
      />
    </div>
  );
}
