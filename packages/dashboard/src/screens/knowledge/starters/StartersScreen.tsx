import type { Starter } from '@foyer/protocol';
import { STARTER_LIMIT } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { MessageCircleQuestion, Plus } from 'lucide-react';
import { useState } from 'react';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { startersQuery } from '../knowledge-queries.ts';
import { t } from '../t.ts';
import { NEW_STARTER, StarterDialog, type StarterValues, useStarterForm } from './StarterDialog.tsx';
import { StarterList } from './StarterList.tsx';
import { StartersPreview } from './StartersPreview.tsx';

/** As visitors would see them now, with the values of the form. */
const withDraft = (starters: Starter[], draft: StarterValues | null): Starter[] => {
  if (!draft) return starters;
  const { id, label, prompt } = draft;
  if (id === null) return [...starters, { id: 0, position: starters.length, label, prompt }];
  return starters.map((one) => (one.id === id ? { ...one, label, prompt } : one));
};

/** The questions that an empty chat offers as buttons. */
export function StartersScreen() {
  const { data, error, refetch } = useQuery(startersQuery);
  const [editing, setEditing] = useState(false);
  const starters = data?.items ?? [];
  const last = starters.reduce((most, one) => Math.max(most, one.position + 1), 0);
  const close = (): void => setEditing(false);
  const form = useStarterForm(last, close);
  const edit = (starter: StarterValues): void => {
    form.discard();
    form.set(starter);
    setEditing(true);
  };
  const isFull = starters.length >= STARTER_LIMIT;
  const add = (
    <Button
      look="primary"
      icon={<Plus aria-hidden className="size-4" />}
      disabled={isFull}
      onClick={() => edit(NEW_STARTER)}
    >
      {t('starter_new')}
    </Button>
  );
  return (
    <Page
      wide
      place="starters"
      title={t('starters')}
      intro={isFull ? t('starters_full', { count: STARTER_LIMIT }) : t('starters_intro')}
      back={{ to: '/knowledge', label: tCommon('nav_knowledge') }}
      actions={starters.length > 0 ? add : null}
    >
      <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="mb-8">
          {!data ? (
            <Waiting error={error} retry={refetch} failed={t('starters_failed')} rows={3} />
          ) : starters.length === 0 ? (
            <Empty icon={<MessageCircleQuestion />} title={t('starters_none')} action={add}>
              {t('starters_none_hint')}
            </Empty>
          ) : (
            <StarterList starters={starters} onEdit={edit} />
          )}
        </div>
        {data ? <StartersPreview starters={withDraft(starters, editing ? form.values : null)} /> : null}
      </div>
      {editing ? <StarterDialog form={form} onClose={close} /> : null}
    </Page>
  );
}
