import { SelectField } from '../../../ui/forms/Field.tsx';
import { RESOURCES, type Right, type Rights, rightsFor } from './rights.ts';
import { t } from './t.ts';

interface ScopesFieldProps {
  rights: Rights;
  onChange: (rights: Rights) => void;
}

/** What a token may do with each resource of the REST API, under its name there. */
export function ScopesField({ rights, onChange }: ScopesFieldProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{t('resources')}</legend>
      <p className="mb-2 text-soft">{t('resources_hint')}</p>
      <ul className="max-h-64 overflow-y-auto rounded-lg border border-line-strong">
        {RESOURCES.map((resource) => (
          <li
            key={resource}
            className="flex items-center gap-3 border-line border-t px-3 py-1 first:border-t-0"
          >
            <code className="min-w-0 flex-1 truncate font-mono text-[13px]" dir="ltr">
              {resource}
            </code>
            <SelectField
              label={resource}
              bare
              frame="w-36 shrink-0"
              value={rights[resource] ?? 'none'}
              onChange={({ target }) => onChange({ ...rights, [resource]: target.value as Right })}
              options={rightsFor(resource).map((value) => ({ value, label: t(`right_${value}`) }))}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
