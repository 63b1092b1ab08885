import type { SynonymList } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { call } from '../../api.ts';
import { base } from '../../base.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { synonymsQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { Page } from '../../ui/Page.tsx';
import { ListBones } from '../../ui/States.tsx';
import { say } from '../../ui/toast-store.ts';
import { useForm } from '../settings/use-form.ts';
import { groupsOf, linesOfGroups } from './synonym-lines.ts';
import { t } from './t.ts';

/** What the site's customers call the same thing: found by either word. */
export function SynonymsScreen() {
  const { data, error, refetch } = useQuery(synonymsQuery);
  return (
    <Page
      place="synonyms"
      title={t('synonyms')}
      intro={t('synonyms_intro')}
      back={{ to: '/knowledge', label: base('nav_knowledge') }}
    >
      {data ? (
        <SynonymForm saved={data} />
      ) : error ? (
        <ErrorNote error={error} title={t('synonyms_failed')} onRetry={() => void refetch()} />
      ) : (
        <ListBones rows={3} face={false} />
      )}
    </Page>
  );
}

function SynonymForm({ saved }: { saved: SynonymList }) {
  const admin = useIsAdmin();
  const client = useQueryClient();
  const { form, dirty, set, forget } = useForm({ text: linesOfGroups(saved.groups) });
  const { text } = form;
  const { groups, wrong } = groupsOf(text);
  const save = useMutation({
    mutationFn: () => call('synonyms.update', { groups }),
    onSuccess: (now) => {
      client.setQueryData(synonymsQuery.queryKey, now);
      say(t('synonyms_saved'));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wrong === undefined) save.mutate(undefined, { onSuccess: forget });
  };
  return (
    <form onSubmit={submit} className="grid max-w-160 gap-4">
      <TextArea
        label={t('synonyms_groups')}
        hint={t('synonyms_hint')}
        placeholder={t('synonyms_example')}
        fault={wrong}
        rows={12}
        value={text}
        readOnly={!admin}
        onChange={(event) => set({ text: event.target.value })}
      />
      <LeaveGuard dirty={dirty} />
      {save.error ? <ErrorNote error={save.error} title={t('synonyms_unchanged')} /> : null}
      {admin ? (
        <div>
          <Button type="submit" look="primary" busy={save.isPending} disabled={wrong !== undefined || !dirty}>
            {t('synonyms_save')}
          </Button>
        </div>
      ) : (
        <p className="text-soft">{t('synonyms_admin')}</p>
      )}
    </form>
  );
}
