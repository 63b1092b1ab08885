import { BellRing, X } from 'lucide-react';
import { useState } from 'react';
import { store } from '../../storage.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { say } from '../../ui/toast-store.ts';
import { t } from './t.ts';

const DISMISSED = 'foyer.alerts.dismissed';

const canAsk = (): boolean =>
  'Notification' in window && Notification.permission === 'default' && store.getItem(DISMISSED) === null;

/** Offers the browser's notifications once; asks only when the button is pressed. */
export function AlertsOffer() {
  const [offered, setOffered] = useState(canAsk);
  if (!offered) return null;
  const dismiss = (): void => {
    store.setItem(DISMISSED, '1');
    setOffered(false);
  };
  const allow = async (): Promise<void> => {
    const answer = await Notification.requestPermission();
    setOffered(false);
    if (answer === 'granted') say(t('alerts_on'));
  };
  return (
    <div className="flex items-center gap-2 border-b bg-sunken py-1.5 ps-4 pe-2">
      <BellRing aria-hidden className="size-4 shrink-0 text-soft" />
      <p className="min-w-0 flex-1 text-soft text-xs">{t('alerts_offer')}</p>
      <Button small onClick={() => void allow()}>
        {t('alerts_turn_on')}
      </Button>
      <IconButton label={t('not_now')} onClick={dismiss}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
