import type { FirstSteps } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { PartyPopper } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { Page } from '../../ui/Page.tsx';
import { Empty } from '../../ui/States.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { NoChatOpen } from '../inbox/InboxScreen.tsx';
import { areShown, countDone, firstStepsQuery, usePutAway } from './first-steps.ts';
import { SampleNotice } from './SampleNotice.tsx';
import { StepList } from './StepList.tsx';
import { t } from './t.ts';

/** How often the list is refreshed while the agent watches it. */
const LOOK_AGAIN_MS = 3_000;

const areDone = (first: FirstSteps): boolean => countDone(first) === first.steps.length;

const useFirstSteps = () =>
  useQuery({
    ...firstStepsQuery,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && areDone(data) ? false : LOOK_AGAIN_MS),
  });

function PutAway({ first }: { first: FirstSteps }) {
  const putAway = usePutAway();
  return (
    <Button busy={putAway.isPending} onClick={() => putAway.mutate(!first.put_away)}>
      {t(first.put_away ? 'bring_back' : 'put_away')}
    </Button>
  );
}

function Progress({ first }: { first: FirstSteps }) {
  return (
    <p className="mb-3 text-soft" role="status">
      {t('progress', { done: countDone(first), total: first.steps.length })}
    </p>
  );
}

/** A new admin's or agent's first steps, and which are done. */
export function FirstStepsScreen() {
  const { data: first, error, refetch } = useFirstSteps();
  if (!first)
    return (
      <Page place="first steps" title={t('title')}>
        <Waiting error={error} retry={refetch} failed={t('failed')} />
      </Page>
    );
  return (
    <Page
      place="first steps"
      title={t('title')}
      intro={t('intro')}
      actions={areDone(first) ? null : <PutAway first={first} />}
    >
      {areDone(first) ? (
        <Empty icon={<PartyPopper />} title={t('all_done')}>
          {t('all_done_hint')}
        </Empty>
      ) : (
        <Progress first={first} />
      )}
      <StepList first={first} />
      <SampleNotice className="mt-6" />
    </Page>
  );
}

/** Beside the inbox while nothing is open: the first steps, as long as any are left. */
export function InboxStart() {
  const { data: first, isPending } = useFirstSteps();
  if (isPending) return <div className="min-w-0 flex-1 bg-sunken max-md:hidden" />;
  if (!areShown(first)) return <NoChatOpen />;
  return (
    <section
      aria-label={t('title')}
      className="scroll-y min-h-0 min-w-0 flex-1 bg-sunken px-6 py-8 max-md:hidden"
    >
      <div className="mx-auto max-w-2xl">
        <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-60">
            <h2 className="font-semibold text-lg leading-7">{t('title')}</h2>
            <p className="text-soft">{t('intro')}</p>
          </div>
          <PutAway first={first} />
        </div>
        <Progress first={first} />
        <div className="rounded-lg bg-surface">
          <StepList first={first} />
        </div>
        <SampleNotice className="mt-6" />
      </div>
    </section>
  );
}
