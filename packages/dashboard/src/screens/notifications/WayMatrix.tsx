import type { NotificationChoices, NotificationWays } from '@foyer/protocol';
import { NOTIFICATION_KINDS } from '@foyer/protocol/sites/notification-rule';
import { Play } from 'lucide-react';
import { useMay } from '../../desk/DeskContext.tsx';
import { chime, unlockSound } from '../../desk/notifications/chime.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Page.tsx';
import { useChoose } from './settings-query.ts';
import { t } from './t.ts';

const WAYS = ['sound', 'push', 'mail'] as const satisfies readonly (keyof NotificationWays)[];

interface WayMatrixProps {
  choices: NotificationChoices;
  /** Whether the site can send email. */
  mails: boolean;
  /** Whether any of the agent's browsers accepts pushes. */
  pushes: boolean;
}

/** How the agent is notified of each kind of event. */
export function WayMatrix({ choices: { ways }, mails, pushes }: WayMatrixProps) {
  const admin = useMay('email');
  const kinds = NOTIFICATION_KINDS.filter((kind) => admin || kind !== 'mailbox_failing');
  return (
    <Section
      title={t('what_title')}
      intro={[t('what_intro'), ...(mails ? [] : [t('no_mail')]), ...(pushes ? [] : [t('no_push')])].join(' ')}
      actions={
        <Button
          small
          icon={<Play aria-hidden className="size-4" />}
          onClick={() => {
            unlockSound();
            chime();
          }}
        >
          {t('sound_listen')}
        </Button>
      }
    >
      <div className="overflow-hidden rounded-lg border">
        <table className="w-full">
          <thead>
            <tr className="border-b bg-sunken text-soft">
              <th scope="col" className="py-2 ps-4 text-start font-medium">
                {t('what')}
              </th>
              {WAYS.map((way) => (
                <th key={way} scope="col" className="w-16 py-2 text-center font-medium sm:w-24">
                  {t(`way_${way}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {kinds.map((kind) => (
              <tr key={kind}>
                <th scope="row" className="py-2 ps-4 text-start font-normal">
                  {t(`kind_${kind}`)}
                </th>
                <Cells kind={kind} ways={ways} mails={mails} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

interface CellsProps {
  kind: (typeof NOTIFICATION_KINDS)[number];
  ways: NotificationChoices['ways'];
  mails: boolean;
}

function Cells({ kind, ways, mails }: CellsProps) {
  const choose = useChoose();
  return (
    <>
      {WAYS.map((way) => (
        <td key={way} className="p-0">
          <label className="flex h-10 cursor-pointer items-center justify-center has-disabled:cursor-default max-md:h-12">
            <input
              type="checkbox"
              aria-label={t('choice', { kind: t(`kind_${kind}`), way: t(`way_${way}`) })}
              className="size-4 accent-accent disabled:opacity-50"
              checked={ways[kind][way] && (way !== 'mail' || mails)}
              disabled={way === 'mail' && !mails}
              onChange={(event) =>
                choose({
                  ways: { ...ways, [kind]: { ...ways[kind], [way]: event.currentTarget.checked } },
                })
              }
            />
          </label>
        </td>
      ))}
    </>
  );
}
