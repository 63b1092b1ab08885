import { useQuery } from '@tanstack/react-query';
import { BellRing, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { pushState, turnPushOn } from '../../desk/notifications/push.ts';
import { store } from '../../storage.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { t } from './t.ts';

const DISMISSED = 'foyer.alerts.dismissed';

const neverAsked = (): boolean =>
  'Notification' in window && Notification.permission === 'default' && store.getItem(DISMISSED) === null;

/** Offers pushes once. Asks for the browser's permission only after a click. */
export function PushOffer() {
  const { agent } = useMe();
  const [offered, setOffered] = useState(neverAsked);
  const { data: state } = useQuery({
    queryKey: ['push state', agent.id],
    queryFn: () => pushState(agent.id),
    enabled: offered,
  });
  if (!offered || state !== 'off') return null;
  const dismiss = (): void => {
    store.setItem(DISMISSED, '1');
    setOffered(false);
  };
  const allow = async (): Promise<void> => {
    const { push_key } = await call('notification_settings.get', {});
    if ((await turnPushOn(agent.id, push_key)) === 'on') toast.success(t('push_turned_on'));
  };
  return (
    <div className="flex items-center gap-2 border-b bg-sunken py-1.5 ps-4 pe-2">
      <BellRing aria-hidden className="size-4 shrink-0 text-soft" />
      <p className="min-w-0 flex-1 text-soft text-xs">{t('offer')}</p>
      <Button
        small
        onClick={() => {
          setOffered(false);
          allow().catch((error) => toast.error(t('push_failed'), error));
        }}
      >
        {t('offer_turn_on')}
      </Button>
      <IconButton label={t('offer_not_now')} onClick={dismiss}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
