import type { SynonymList } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { FormError } from '../../forms/FormError.tsx';
import { LeaveGuard } from '../../forms/LeaveGuard.tsx';
import { useForm } from '../../forms/use-form.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/forms/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { synonymsQuery } from './knowledge-queries.ts';
import { groupsOf, linesOfGroups } from './synonym-lines.ts';
import { t } from './t.ts';

/** Words that mean the same to the site's customers. */
export function SynonymsScreen() {
  const { data, error, refetch } = useQuery(synonymsQuery);
  return (
    <Page
      place="synonyms"
      title={t('synonyms')}
      intro={t('synonyms_intro')}
      back={{ to: '/knowledge', label: tCommon('nav_knowledge') }}
    >
      {data ? (
        <SynonymForm saved={data} />
      ) : (
        <Waiting error={error} retry={refetch} failed={t('synonyms_failed')} rows={3} />
      )}
    </Page>
  );
}

function SynonymForm({ saved }: { saved: SynonymList }) {
  const admin = useMay('knowledge');
  const client = useQueryClient();
  const form = useForm({
    stored: { text: linesOfGroups(saved.groups) },
    save: ({ text }) => call('synonyms.update', { groups: groupsOf(text).groups }),
    onSaved: (now) => {
      client.setQueryData(synonymsQuery.queryKey, now);
      toast.success(t('synonyms_saved'));
    },
  });
  const { wrong } = groupsOf(form.values.text);
  return (
    <form onSubmit={form.submit} className="grid max-w-160 gap-4">
      <TextArea
        label={t('synonyms_groups')}
        hint={t('synonyms_hint')}
        placeholder={t('synonyms_example')}
        fault={wrong}
        rows={12}
        readOnly={!admin}
        value={form.values.text}
        onChange={({ target }) => form.set({ text: target.value })}
      />
      <LeaveGuard dirty={form.dirty} />
      <FormError form={form} title={t('synonyms_unchanged')} />
      {admin ? (
        <div>
          <Button
            type="submit"
            look="primary"
            busy={form.saving}
            disabled={wrong !== undefined || !form.dirty}
          >
            {t('synonyms_save')}
          </Button>
        </div>
      ) : (
        <p className="text-soft">{t('admin_only')}</p>
      )}
    </form>
  );
}
