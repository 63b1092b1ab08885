import type { OutputOf } from '@foyer/protocol';
import {
  CONNECTION_STEPS,
  type ConnectionStep,
  failedStep,
} from '@foyer/protocol/values/mail/mailbox-problems';
import { useMutation } from '@tanstack/react-query';
import { Check, Minus, PlugZap, X } from 'lucide-react';
import { call } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { type MailboxValues, serversOf } from './mailbox-values.ts';
import { problemSaid } from './problem-words.ts';
import { t } from './t.ts';

type Result = OutputOf<'mailboxes.test'>['results'][number];

interface ConnectionTestProps {
  values: MailboxValues;
  /** Its stored passwords are used where none is typed. */
  mailboxId: number | undefined;
}

/** Signs in to the servers as they are in the form, and names the step that fails. */
export function ConnectionTest({ values, mailboxId }: ConnectionTestProps) {
  const servers = serversOf(values);
  const tested = JSON.stringify(servers);
  const isFetched = values.route === 'imap';
  const test = useMutation({
    mutationFn: async () => {
      const { imap, smtp } = servers;
      const id = mailboxId === undefined ? {} : { id: mailboxId };
      const { results } = await call('mailboxes.test', {
        ...id,
        ...(isFetched ? { imap } : {}),
        ...(smtp ? { smtp } : {}),
      });
      return { results, tested };
    },
  });
  const { imapHost, smtpHost, isOwnSmtp } = values;
  const isIncomplete =
    values.address === '' ||
    (values.signIn === 'password' && ((isFetched && imapHost === '') || (isOwnSmtp && smtpHost === '')));
  return (
    <>
      <Button
        icon={<PlugZap aria-hidden className="size-4" />}
        busy={test.isPending}
        disabled={isIncomplete}
        onClick={() => test.mutate()}
      >
        {t('test')}
      </Button>
      <div role="status">
        {/* Later changes are untested. */}
        {test.data?.tested === tested ? (
          <ul className="mt-3 space-y-3">
            {test.data.results.map((result) => (
              <Tested
                key={result.protocol}
                result={result}
                hasPassword={
                  values.signIn === 'password' || (result.protocol === 'smtp' && !values.isSameLogin)
                }
              />
            ))}
          </ul>
        ) : null}
      </div>
      {test.error ? <ErrorNote error={test.error} title={t('test_failed')} className="mt-3" /> : null}
    </>
  );
}

interface TestedProps {
  result: Result;
  hasPassword: boolean;
}

function Tested({ result: { protocol, problem }, hasPassword }: TestedProps) {
  // Sending opens no folder, and a password needs no authorization.
  const steps = CONNECTION_STEPS.filter(
    (step) => (protocol === 'imap' || step !== 'folder') && !(hasPassword && step === 'authorization'),
  );
  const failed = problem === null ? undefined : failedStep(problem);
  const failedAt = failed === undefined ? steps.length : steps.indexOf(failed);
  return (
    <li className="rounded-lg border p-3">
      <p className="font-medium">
        {problem === null ? t(`test_${protocol}_works`) : t(`test_${protocol}_fails`)}
      </p>
      {problem === null || failed !== undefined ? (
        <ol className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
          {steps.map((step, at) => (
            <Step
              key={step}
              step={step}
              state={at < failedAt ? 'done' : at === failedAt ? 'failed' : 'open'}
            />
          ))}
        </ol>
      ) : null}
      {problem === null ? null : (
        <p className="wrap-anywhere mt-2 text-danger-text" dir="auto">
          {problemSaid(problem)}
        </p>
      )}
    </li>
  );
}

const ICONS = { done: Check, failed: X, open: Minus };
const TONES = { done: 'text-good-text', failed: 'text-danger-text font-medium', open: 'text-faint' };

function Step({ step, state }: { step: ConnectionStep; state: keyof typeof ICONS }) {
  const Icon = ICONS[state];
  return (
    <li className={`flex items-center gap-1 ${TONES[state]}`}>
      <Icon aria-hidden className="size-4" />
      {t(`step_${step}`)}
      <span className="sr-only">{t(`step_${state}`)}</span>
    </li>
  );
}
