import { DESK_LANGUAGES } from '@foyer/protocol/values/languages';
import type { ReactNode } from 'react';
import { language, speak } from '../../language.ts';
import { languageName } from '../../language-name.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';

/** The layout of pages before the sign-in: one task, centred. */
export function Door({
  title,
  intro,
  wide = false,
  children,
}: {
  title: string;
  intro?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <main className="scroll-y h-dvh bg-frame">
      <div className="flex min-h-full flex-col items-center justify-center px-4 py-10">
        <div className={`w-full ${wide ? 'max-w-xl' : 'max-w-100'}`}>
          <div className="mb-6 flex items-center gap-2">
            <Mark />
            <span className="font-semibold text-base">Foyer</span>
          </div>
          <div className="rounded-xl border bg-surface p-6 sm:p-8">
            <h1 className="wrap-anywhere font-semibold text-xl">{title}</h1>
            {intro ? <p className="mt-1 text-soft">{intro}</p> : null}
            <div className="mt-6">{children}</div>
          </div>
          <OtherLanguages />
        </div>
      </div>
    </main>
  );
}

/** Before the sign-in, nobody's language choice is known. */
function OtherLanguages() {
  return (
    <div className="mt-4 flex justify-center gap-2">
      {DESK_LANGUAGES.filter((one) => one !== language()).map((one) => (
        <Button
          key={one}
          small
          look="quiet"
          lang={one}
          onClick={() =>
            void speak(one).catch((error: unknown) => toast.error(tCommon('language_failed'), error))
          }
        >
          {languageName(one)}
        </Button>
      ))}
    </div>
  );
}
