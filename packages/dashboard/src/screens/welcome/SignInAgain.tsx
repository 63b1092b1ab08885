import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useDesk } from '../../desk/DeskContext.tsx';
import { meQuery } from '../../queries.ts';
import { toast } from '../../ui/toasts/toast-store.ts';
import { SignInForm } from './SignInForm.tsx';
import { t } from './t.ts';

/**
 * The session has ended while the desk is open: a sign-in dialog over it, with everything below unchanged. Only
 * signing in closes it.
 */
export function SignInAgain({ onIn }: { onIn: () => void }) {
  const desk = useDesk();
  const client = useQueryClient();
  const [asksCode, setAsksCode] = useState(false);
  const goOn = async (): Promise<void> => {
    const me = await client.fetchQuery({ ...meQuery, staleTime: 0 });
    // Somebody else at this computer must not see what was here.
    if (me.agent.id !== desk.me.agent.id || me.site.id !== desk.me.site.id) {
      location.assign('/app/inbox');
      return;
    }
    onIn();
    desk.signedInAgain();
  };
  return (
    <Dialog.Root open modal>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-scrim" />
        <Dialog.Popup className="-translate-x-1/2 -translate-y-1/2 appear fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] max-w-100 overflow-y-auto rounded-xl bg-raised p-6 shadow-float outline-none">
          <Dialog.Title className="font-semibold text-xl">
            {asksCode ? t('code_title') : t('again_title')}
          </Dialog.Title>
          <Dialog.Description className="mt-1 mb-6 text-soft">{t('again_hint')}</Dialog.Description>
          <SignInForm
            keepPage
            next="/app/inbox"
            onCode={setAsksCode}
            onIn={() => void goOn().catch((error: unknown) => toast.error(t('again_failed'), error))}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
