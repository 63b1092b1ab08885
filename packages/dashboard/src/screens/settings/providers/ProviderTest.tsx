import { useMutation } from '@tanstack/react-query';
import { CircleCheck, PlugZap, TriangleAlert } from 'lucide-react';
import { call } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Callout } from '../../../ui/States.tsx';
import { problemSaid } from './problem-words.ts';
import { clientOf, type ProviderValues } from './provider-values.ts';
import { t } from './t.ts';

interface ProviderTestProps {
  values: ProviderValues;
  /** Its stored secret is used if none is typed. */
  providerId: number | undefined;
}

/** Asks the provider as it is in the form, and names the step that fails. */
export function ProviderTest({ values, providerId }: ProviderTestProps) {
  const client = clientOf(values);
  const tested = JSON.stringify(client);
  const test = useMutation({
    mutationFn: async () => {
      const id = providerId === undefined ? {} : { id: providerId };
      return { ...(await call('identity_providers.test', { ...id, ...client })), tested };
    },
  });
  const isIncomplete =
    client.issuer === '' ||
    client.client_id === '' ||
    (providerId === undefined && client.client_secret === undefined);
  return (
    <div>
      <Button
        icon={<PlugZap aria-hidden className="size-4" />}
        busy={test.isPending}
        disabled={isIncomplete}
        onClick={() => test.mutate()}
      >
        {t('test')}
      </Button>
      <div role="status" className="mt-3">
        {/* Later changes are untested. */}
        {test.data?.tested === tested ? <Result problem={test.data.problem} /> : null}
      </div>
      {test.error ? <ErrorNote error={test.error} title={t('test_failed')} className="mt-3" /> : null}
    </div>
  );
}

function Result({ problem }: { problem: string | null }) {
  if (problem === null) return <Callout icon={<CircleCheck aria-hidden />}>{t('test_works')}</Callout>;
  return <Problem problem={problem} />;
}

/** Which step failed, in the agent's language. */
export function Problem({ problem }: { problem: string }) {
  return (
    <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
      <p className="wrap-anywhere" dir="auto">
        {problemSaid(problem)}
      </p>
    </Callout>
  );
}
