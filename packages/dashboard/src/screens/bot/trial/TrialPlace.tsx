import { MessageCircleQuestion } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { SidePanel } from '../../../ui/dialogs/Dialog.tsx';
import { TryBot } from './TryBot.tsx';
import { t } from './t.ts';
import { useTrial } from './use-trial.ts';

/** Beside the settings where there is room, else over them. */
export function TrialPlace({ unsaved }: { unsaved: boolean }) {
  const trial = useTrial();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        className="mb-6 xl:hidden"
        icon={<MessageCircleQuestion aria-hidden className="size-4" />}
        onClick={() => setIsOpen(true)}
      >
        {t('title')}
      </Button>
      <section
        aria-label={t('title')}
        className="flex h-[min(44rem,calc(100dvh-9rem))] flex-col rounded-xl border bg-surface max-xl:hidden"
      >
        <h2 className="border-b px-4 py-3 font-semibold">{t('title')}</h2>
        <TryBot trial={trial} unsaved={unsaved} />
      </section>
      <SidePanel open={isOpen} onClose={() => setIsOpen(false)} title={t('title')}>
        <div className="flex h-full flex-col">
          <TryBot trial={trial} unsaved={unsaved} />
        </div>
      </SidePanel>
    </>
  );
}
