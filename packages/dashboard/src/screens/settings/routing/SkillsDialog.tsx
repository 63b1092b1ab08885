import type { Agent } from '@foyer/protocol';
import { SKILLS_MAX } from '@foyer/protocol/values/bounds';
import { LANGUAGES } from '@foyer/protocol/values/languages';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { languageName } from '../../../language-name.ts';
import { agentsQuery, tagsQuery } from '../../../queries.ts';
import { CheckField } from '../../../ui/forms/Field.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { TagDot } from '../../inbox/TagDot.tsx';
import { t } from './t.ts';

const without = <T,>(all: readonly T[], one: T): T[] => all.filter((other) => other !== one);

/** An agent's languages and skills, by which routing chooses. */
export function SkillsDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    initial: { languages: agent.languages, tag_ids: agent.skills.map(({ id }) => id) },
    save: (values) => call('agents.set_skills', { id: agent.id, ...values }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: agentsQuery.queryKey });
      toast.success(t('saved'));
      onClose();
    },
  });
  const { languages, tag_ids } = form.values;
  return (
    <FormDialog title={t('title', { name: agent.name })} form={form} onClose={onClose}>
      <p className="text-soft">{t('intro')}</p>
      <fieldset className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        <legend className="mb-2 font-medium">{t('languages')}</legend>
        {LANGUAGES.map((one) => (
          <CheckField
            key={one}
            label={<span lang={one}>{languageName(one)}</span>}
            checked={languages.includes(one)}
            onChange={({ target: { checked } }) =>
              form.set({ languages: checked ? [...languages, one] : without(languages, one) })
            }
          />
        ))}
      </fieldset>
      <TagSkills chosen={tag_ids} onChange={(ids) => form.set({ tag_ids: ids })} />
    </FormDialog>
  );
}

function TagSkills({ chosen, onChange }: { chosen: number[]; onChange: (ids: number[]) => void }) {
  const { data, error, refetch } = useQuery(tagsQuery);
  if (!data) return <Waiting error={error} retry={refetch} failed={t('tags_failed')} rows={2} />;
  return (
    <fieldset className="scroll-y grid max-h-56 grid-cols-2 gap-2 sm:grid-cols-3">
      <legend className="mb-2 font-medium">{t('tags')}</legend>
      {data.items.length === 0 ? <p className="col-span-full text-soft">{t('tags_none')}</p> : null}
      {data.items.map(({ id, name, color }) => (
        <CheckField
          key={id}
          label={
            <span className="inline-flex min-w-0 items-center gap-1.5">
              <TagDot color={color} />
              <bdi className="truncate">{name}</bdi>
            </span>
          }
          checked={chosen.includes(id)}
          disabled={!chosen.includes(id) && chosen.length >= SKILLS_MAX}
          onChange={({ target: { checked } }) => onChange(checked ? [...chosen, id] : without(chosen, id))}
        />
      ))}
    </fieldset>
  );
}
