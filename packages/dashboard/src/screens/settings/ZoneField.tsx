import type { ComponentProps } from 'react';
import { SelectField } from '../../ui/forms/Field.tsx';

type ZoneFieldProps = Omit<ComponentProps<typeof SelectField>, 'options' | 'value'> & { value: string };

/** Chooses a time zone of the IANA database. */
export function ZoneField({ value, ...field }: ZoneFieldProps) {
  const zones = Intl.supportedValuesOf('timeZone');
  // Aliases such as UTC aren't included.
  const all = zones.includes(value) ? zones : [value, ...zones];
  return (
    <SelectField
      frame="max-w-80"
      {...field}
      value={value}
      options={all.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
    />
  );
}
