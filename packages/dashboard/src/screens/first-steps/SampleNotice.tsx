import type { Samples } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../desk/DeskContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';
import { Callout } from '../../ui/States.tsx';
import { hasSamples, samplesQuery, thingsOf, useAddSamples, useRemoveSamples } from './samples.ts';
import { t } from './t.ts';

const TITLES_SHOWN = 5;

/** Tells an admin about remaining sample data and removes it. */
export function SampleNotice({ className }: { className?: string }) {
  const isAdmin = useMay('site');
  const { data: samples } = useQuery({ ...samplesQuery, enabled: isAdmin });
  const [asking, setAsking] = useState(false);
  const remove = useRemoveSamples(() => setAsking(false));
  if (!samples || !hasSamples(samples)) return null;
  return (
    <div className={className}>
      <Callout icon={<FlaskConical aria-hidden />}>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-4">
          <p className="min-w-0 flex-1 basis-60">{t('sample_there', { things: thingsOf(samples) })}</p>
          <Button small className="-my-1.5" onClick={() => setAsking(true)}>
            {t('sample_remove')}
          </Button>
        </div>
      </Callout>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('sample_remove_ask')}
        action={t('sample_remove')}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        <WhatGoes samples={samples} />
      </Confirm>
    </div>
  );
}

function WhatGoes({ samples }: { samples: Samples }) {
  const { kept_articles: articles, kept_starters: starters, kept_chats: chats } = samples;
  return (
    <div className="space-y-2">
      <p>{t('sample_goes', { things: thingsOf(samples) })}</p>
      {samples.articles > 0 ? <p>{t('sample_articles_back')}</p> : null}
      {samples.chats > 0 ? <p>{t('sample_said')}</p> : null}
      {articles.length > 0 ? (
        <div>
          <p>{t('sample_kept_titles')}</p>
          <ul className="list-disc ps-5">
            {articles.slice(0, TITLES_SHOWN).map(({ id, title }) => (
              <li key={id}>
                <bdi>{title}</bdi>
              </li>
            ))}
            {articles.length > TITLES_SHOWN ? <li>{`+ ${articles.length - TITLES_SHOWN}`}</li> : null}
          </ul>
        </div>
      ) : null}
      {starters > 0 ? <p>{t('sample_kept_starters', { count: starters })}</p> : null}
      {chats > 0 ? <p>{t('sample_kept_chats', { count: chats })}</p> : null}
    </div>
  );
}

/** For a site without articles: sample articles to try the bot with. */
export function AddSamples() {
  const isAdmin = useMay('site');
  const add = useAddSamples();
  if (!isAdmin) return null;
  return (
    <Button busy={add.isPending} onClick={() => add.mutate()}>
      {t('sample_add')}
    </Button>
  );
}
