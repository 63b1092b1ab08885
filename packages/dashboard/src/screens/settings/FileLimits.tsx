import { UPLOAD_KINDS, type UploadKind } from '@foyer/protocol/values/upload-kinds';
import { SelectField } from '../../ui/forms/Field.tsx';
import { Toggle } from '../../ui/forms/Toggle.tsx';
import { Section } from '../../ui/Page.tsx';
import { t } from './t.ts';
import { withValue } from './with-value.ts';

export interface Limits {
  bytes: number;
  files: number;
  kinds: UploadKind[];
}

const MB = 1024 * 1024;
const SIZES_MB = [1, 2, 5, 10, 25];
const COUNTS = [1, 2, 3, 5, 10];

interface FileLimitsProps {
  limits: Limits;
  disabled: boolean;
  onChange: (limits: Limits) => void;
}

/** What visitors may upload. The team may send every kind. */
export function FileLimits({ limits, disabled, onChange }: FileLimitsProps) {
  const megabytes = Math.round((limits.bytes / MB) * 100) / 100;
  const toggle = (kind: UploadKind, on: boolean): void =>
    onChange({
      ...limits,
      kinds: UPLOAD_KINDS.filter((one) => (one === kind ? on : limits.kinds.includes(one))),
    });
  return (
    <Section title={t('files')} intro={t('files_intro')}>
      <div className="space-y-4">
        {UPLOAD_KINDS.map((kind) => (
          <Toggle
            key={kind}
            label={t(`file_${kind}`)}
            hint={t(`file_${kind}_hint`)}
            on={limits.kinds.includes(kind)}
            disabled={disabled}
            onChange={(on) => toggle(kind, on)}
          />
        ))}
        <div className="flex flex-wrap gap-4">
          <SelectField
            label={t('file_largest')}
            frame="w-40"
            value={megabytes}
            onChange={(event) => onChange({ ...limits, bytes: Math.round(Number(event.target.value) * MB) })}
            options={withValue(SIZES_MB, megabytes).map((size) => ({
              value: size,
              label: t('megabytes', { number: size }),
            }))}
          />
          <SelectField
            label={t('file_count')}
            frame="w-40"
            value={limits.files}
            onChange={(event) => onChange({ ...limits, files: Number(event.target.value) })}
            options={withValue(COUNTS, limits.files).map((count) => ({ value: count, label: count }))}
          />
        </div>
      </div>
    </Section>
  );
}
