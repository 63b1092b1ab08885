import { locale } from '../../language.ts';
import { t } from './t.ts';

/** A country by its name in the reader's language. */
export function CountryName({ code }: { code: string }) {
  const name = new Intl.DisplayNames([locale()], { type: 'region' }).of(code) ?? code;
  return <span title={t('country_hint')}>{name}</span>;
}
