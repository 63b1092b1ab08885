import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { type PushState, pushState, turnPushOff, turnPushOn } from '../../desk/notifications/push.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { type Settings, settingsQuery } from './settings-query.ts';
import { t } from './t.ts';

/** Whether this browser accepts pushes, and if it can't, what would enable them. */
export function PushHere({ settings: { push_key, devices } }: { settings: Settings }) {
  const { agent } = useMe();
  const client = useQueryClient();
  const { data: state, refetch } = useQuery({
    queryKey: ['push state', agent.id],
    queryFn: () => pushState(agent.id),
    staleTime: 0,
  });
  const here = devices.find(({ current }) => current);
  const again = async (): Promise<void> => {
    await Promise.all([refetch(), client.invalidateQueries({ queryKey: settingsQuery.queryKey })]);
  };
  const turn = useMutation({
    mutationFn: async (on: boolean) => {
      if (on) await turnPushOn(agent.id, push_key);
      else await turnPushOff(agent.id);
    },
    onError: (error, on) => toast.error(t(on ? 'push_failed' : 'push_off_failed'), error),
    onSettled: again,
  });
  const test = useMutation({
    mutationFn: (id: number) => call('push_devices.test', { id }),
    onSuccess: ({ outcome }) => toast.success(t(outcome === 'sent' ? 'push_test_sent' : 'push_test_failed')),
    onError: (error) => toast.error(t('push_test_failed'), error),
    onSettled: again,
  });
  // A subscription that the server no longer knows counts as off.
  const shown: PushState | undefined = state === 'on' && !here ? 'off' : state;
  return (
    <Section title={t('push_title')} intro={t('push_intro')}>
      {shown === undefined ? null : (
        <div className="rounded-lg border p-4">
          <p className={shown === 'on' ? 'text-good-text' : 'font-medium'}>{t(`push_${shown}`)}</p>
          {shown === 'on' || shown === 'off' ? (
            <div className="mt-3 flex flex-wrap gap-2">
              <Button busy={turn.isPending} onClick={() => turn.mutate(shown === 'off')}>
                {t(shown === 'on' ? 'push_turn_off' : 'push_turn_on')}
              </Button>
              {shown === 'on' && here ? (
                <Button busy={test.isPending} onClick={() => test.mutate(here.id)}>
                  {t('push_test')}
                </Button>
              ) : null}
            </div>
          ) : (
            <p className="mt-1 text-soft">{t(`push_${shown}_how`)}</p>
          )}
        </div>
      )}
    </Section>
  );
}
