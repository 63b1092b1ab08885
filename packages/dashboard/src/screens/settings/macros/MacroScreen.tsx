import type { Macro, MacroAction } from '@foyer/protocol';
import { MACRO_ACTIONS_MAX, NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Zap } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { call } from '../../../api.ts';
import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { FormError } from '../../../forms/FormError.tsx';
import { LeaveGuard } from '../../../forms/LeaveGuard.tsx';
import { keyed } from '../../../forms/StepList.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { macrosQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { MacroPreview } from '../../inbox/writing/macros/MacroPreview.tsx';
import { VisibilityField } from '../../visibility/VisibilityField.tsx';
import {
  EVERYONE,
  PRIVATE,
  type Seen,
  seenBy,
  seenNowBy,
  useMayChange,
} from '../../visibility/visibility.ts';
import { AdminOnly } from '../AdminOnly.tsx';
import { ActionSteps } from './ActionSteps.tsx';
import { faultOf, MACRO_STEPS, nameOfCopy } from './steps.ts';
import { t } from './t.ts';

const SAMPLE_TICKET = 1024;
const SAMPLE_EMAIL = 'mara@example.com';

const one = getRouteApi('/desk/settings/macros/$macroId');
const fresh = getRouteApi('/desk/settings/macros/new');

/** A new macro, or a copy. */
export function NewMacroScreen() {
  const { like } = fresh.useSearch();
  const seen = useMay('shared') ? EVERYONE : PRIVATE;
  return (
    <WithMacros>
      {(macros) => {
        const model = macros.find(({ id }) => id === like);
        const name = model
          ? nameOfCopy(
              model.name,
              macros.map((macro) => macro.name),
              NAME_MAX,
            )
          : '';
        return <MacroForm key={like} id={null} name={name} actions={model?.actions ?? []} seen={seen} />;
      }}
    </WithMacros>
  );
}

/** Edits a macro. */
export function MacroScreen() {
  const id = Number(one.useParams().macroId);
  return (
    <WithMacros>
      {(macros) => {
        const macro = macros.find((found) => found.id === id);
        if (macro) return <MacroForm key={id} {...macro} seen={macro} />;
        return (
          <Page place="macro" title={t('edit_title')} back={{ to: '/settings/macros', label: t('title') }}>
            <Empty icon={<Zap />} title={t('none_such')}>
              {t('none_such_hint')}
            </Empty>
          </Page>
        );
      }}
    </WithMacros>
  );
}

function WithMacros({ children }: { children: (macros: Macro[]) => ReactNode }) {
  const { data, error, refetch } = useQuery(macrosQuery);
  if (data) return children(data.items);
  return (
    <Page place="macro" title={t('edit_title')} back={{ to: '/settings/macros', label: t('title') }}>
      <Waiting error={error} retry={refetch} failed={t('failed')} height="h-40" />
    </Page>
  );
}

interface MacroFormProps {
  /** Null: a new one. */
  id: number | null;
  name: string;
  actions: readonly MacroAction[];
  /** Who sees it; for a new one, who would. */
  seen: Seen;
}

/** A macro's name and steps, with the error of each step. */
function useMacroForm({ id, name, actions, seen: { visibility, team_id } }: MacroFormProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isTried, setTried] = useState(false);
  const [steps] = useState(() => actions.map((action) => keyed(action)));
  const form = useForm({
    initial: { name, steps, seen: { visibility, team_id } },
    save: (values) => {
      const input = { name: values.name, actions: values.steps.map(({ step }) => step) };
      return id === null
        ? call('macros.create', { ...input, ...seenBy(values.seen) })
        : call('macros.update', { id, ...input, ...seenNowBy(values.seen, { visibility, team_id }) });
    },
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: macrosQuery.queryKey });
      toast.success(id === null ? t('created', { name: saved.name }) : t('saved'));
      await navigate({ to: '/settings/macros', ignoreBlocker: true });
    },
  });
  const written = form.values.steps.map(({ step }) => step);
  return {
    form,
    written,
    /** An unknown variable counts while typing; missing values from the first attempt to save. */
    faultAt: (at: number): string | undefined => {
      const refused = form.issue(`actions.${at}`);
      const action = written[at];
      if (!action) return undefined;
      const hasText = 'body' in action && action.body.trim() !== '';
      return (isTried || hasText ? faultOf(action) : undefined) ?? refused;
    },
    submit: (event: FormEvent): void => {
      event.preventDefault();
      setTried(true);
      if (written.every((action) => faultOf(action) === undefined)) form.save();
    },
  };
}

function MacroForm(macro: MacroFormProps) {
  const { id } = macro;
  const mayChange = useMayChange()(macro.seen);
  const navigate = useNavigate();
  const macroForm = useMacroForm(macro);
  const { form, written, submit } = macroForm;
  return (
    <Page
      wide
      place={`macro ${id ?? 'new'}`}
      title={id === null ? t('new') : t('edit_title')}
      back={{ to: '/settings/macros', label: t('title') }}
    >
      <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div>
          <AdminOnly may={mayChange}>
            <form onSubmit={submit}>
              <TextField
                label={t('name')}
                hint={t('name_hint')}
                required
                autoFocus={id === null}
                maxLength={NAME_MAX}
                frame="mb-8 max-w-120"
                {...form.text('name')}
              />
              <VisibilityField
                frame="mb-8 max-w-120"
                value={form.values.seen}
                before={id === null ? undefined : macro.seen}
                onChange={(seen) => form.set({ seen })}
              />
              <Steps {...macroForm} />
              <FormError form={form} title={t('save_failed')} className="mt-6" />
              <div className="mt-8 flex flex-wrap gap-3">
                <Button
                  type="submit"
                  look="primary"
                  busy={form.saving}
                  disabled={written.length === 0 || form.values.name.trim() === ''}
                >
                  {id === null ? t('create') : t('save')}
                </Button>
                <Button look="quiet" onClick={() => void navigate({ to: '/settings/macros' })}>
                  {t('cancel')}
                </Button>
              </div>
            </form>
          </AdminOnly>
        </div>
        <LeaveGuard dirty={form.dirty} />
        <SamplePreview actions={written} />
      </div>
    </Page>
  );
}

function Steps({ form, faultAt }: ReturnType<typeof useMacroForm>) {
  return (
    <Section title={t('does')} intro={t('does_intro')}>
      <ActionSteps
        steps={form.values.steps}
        max={MACRO_ACTIONS_MAX}
        kinds={MACRO_STEPS}
        faultAt={faultAt}
        onChange={(steps) => form.set({ steps })}
      />
    </Section>
  );
}

/** What it would do with a sample ticket. */
function SamplePreview({ actions }: { actions: MacroAction[] }) {
  const { agent, site } = useMe();
  const name = t('sample_name');
  const subject = t('sample_subject');
  return (
    <aside aria-label={t('preview')} className="max-xl:mt-8 xl:sticky xl:top-4 xl:self-start">
      <Section title={t('preview')} intro={t('preview_intro', { subject, name })}>
        <div className="rounded-lg border bg-sunken p-4">
          {actions.length === 0 ? (
            <p className="text-soft">{t('nothing_yet')}</p>
          ) : (
            <MacroPreview
              isTicket
              macro={{ actions }}
              values={{
                'visitor.name': name,
                'visitor.email': SAMPLE_EMAIL,
                'ticket.id': SAMPLE_TICKET,
                'ticket.subject': subject,
                'agent.name': agent.name,
                'site.name': site.name,
              }}
            />
          )}
        </div>
      </Section>
    </aside>
  );
}
