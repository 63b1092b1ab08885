import { Info } from 'lucide-react';
import { Callout } from '../../../ui/States.tsx';
import { type ProviderChoice, providerOf } from './providers.ts';
import { t } from './t.ts';

/** What a provider's users do before Foyer can sign in. */
export function ProviderNote({ provider }: { provider: ProviderChoice }) {
  const url = providerOf(provider)?.passwordUrl;
  if (url) {
    const link = (
      <a href={url} target="_blank" rel="noreferrer" className="text-accent-text underline">
        {new URL(url).host}
      </a>
    );
    return (
      <Callout icon={<Info aria-hidden />}>
        {t.rich(provider === 'google' ? 'note_google' : 'note_app_password', { link })}
      </Callout>
    );
  }
  const note = noteOf(provider);
  return note === undefined ? null : <Callout icon={<Info aria-hidden />}>{note}</Callout>;
}

function noteOf(provider: ProviderChoice): string | undefined {
  switch (provider) {
    case 'gmx':
    case 'gmx_com':
    case 'web_de':
      return t('note_turn_on');
    case 'ionos':
      return t('note_ionos');
    default:
      return undefined;
  }
}
