import { KeyRound, LogIn } from 'lucide-react';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { hasPasskeys } from '../settings/account/passkeys.ts';
import { type SignInProvider, startAddress } from './sign-in-providers.ts';
import { t } from './t.ts';
import type { usePasskeys } from './use-passkeys.ts';

interface ProviderButtonsProps {
  providers: readonly SignInProvider[];
  email: string;
  next: string;
  /** The page below must stay: the provider opens in a new tab. */
  keepPage: boolean;
  passkeys: ReturnType<typeof usePasskeys>;
}

/** The ways to sign in beside a password. */
export function ProviderButtons({ providers, email, next, keepPage, passkeys }: ProviderButtonsProps) {
  if (providers.length === 0 && !hasPasskeys()) return null;
  return (
    <div className="space-y-2">
      <p className="flex items-center gap-3 text-soft text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('or')}
      </p>
      {hasPasskeys() ? (
        <Button
          className="w-full"
          icon={<KeyRound aria-hidden className="size-4" />}
          busy={passkeys.busy}
          onClick={() => void passkeys.choose()}
        >
          {t('with_passkey')}
        </Button>
      ) : null}
      {passkeys.error ? <ErrorNote error={passkeys.error} /> : null}
      {providers.map((provider) => (
        <a
          key={`${provider.site_id} ${provider.id}`}
          href={startAddress(provider, email, next)}
          {...(keepPage && { target: '_blank', rel: 'noopener' })}
          className={`${buttonLook()} w-full`}
        >
          <LogIn aria-hidden className="size-4" />
          <span className="truncate">{t('continue_with', { name: provider.name })}</span>
        </a>
      ))}
    </div>
  );
}
