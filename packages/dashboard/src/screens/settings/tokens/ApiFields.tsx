import type { Form, TextProps } from '../../../forms/use-form.ts';
import { LinesField } from '../LinesField.tsx';
import { ExpiryField } from './ExpiryField.tsx';
import type { Expiry } from './expiry.ts';
import type { Rights } from './rights.ts';
import { ScopesField } from './ScopesField.tsx';
import { t } from './t.ts';

interface Limits extends Expiry {
  kind: string;
  rights: Rights;
}

interface ApiFieldsProps {
  form: Pick<Form<object>, 'error' | 'reset'> & {
    values: Limits;
    set: (change: { rights: Rights }) => void;
    text: (key: 'expiry' | 'date' | 'allowed_addresses', path?: string) => TextProps;
  };
}

/** The limits of a program's token. */
export function ApiFields({ form }: ApiFieldsProps) {
  const { kind, rights } = form.values;
  return (
    <>
      {kind === 'limited' ? (
        <ScopesField rights={rights} onChange={(changed) => form.set({ rights: changed })} />
      ) : null}
      <ExpiryField form={form} />
      <LinesField
        form={form}
        name="allowed_addresses"
        rows={2}
        label={t('addresses')}
        hint={t('addresses_hint')}
        placeholder="203.0.113.0/24"
      />
    </>
  );
}
