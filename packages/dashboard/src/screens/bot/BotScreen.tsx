import type { BotSettings, HandoffRule } from '@foyer/protocol';
import { BOT_NAME_MAX } from '@foyer/protocol/values/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { useForm } from '../../forms/use-form.ts';
import { lazyPart } from '../../lazy-part.ts';
import { tCommon } from '../../t-common.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../ui/classes.ts';
import { TextField } from '../../ui/forms/Field.tsx';
import { Toggle } from '../../ui/forms/Toggle.tsx';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Badge, Callout } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { KnowledgeTabs } from '../knowledge/KnowledgeTabs.tsx';
import { botQuery, knowsAnythingQuery, rulesQuery, segmentNamesQuery } from './bot-queries.ts';
import { OwnBot } from './OwnBot.tsx';
import { RuleDialog } from './RuleDialog.tsx';
import { ruleSentence } from './rule-words.ts';
import { t } from './t.ts';
import { VoiceSettings } from './VoiceSettings.tsx';

const ModelSection = lazyPart(() => import('./model/ModelSection.tsx'), 'ModelSection');
const TrialPlace = lazyPart(() => import('./trial/TrialPlace.tsx'), 'TrialPlace');

/** The bot's name, whether it answers, and when it hands over. */
export function BotScreen() {
  const { data, error, refetch } = useQuery(botQuery);
  const admin = useMay('bot');
  const [unsavedName, setUnsavedName] = useState(false);
  const [unsavedVoice, setUnsavedVoice] = useState(false);
  return (
    <Page wide place="bot" title={tCommon('nav_knowledge')} tabs={<KnowledgeTabs />}>
      <div className="xl:flex xl:flex-row-reverse xl:gap-8">
        <div className="xl:sticky xl:top-4 xl:w-88 xl:shrink-0 xl:self-start">
          <Suspense>
            <TrialPlace unsaved={unsavedName || unsavedVoice} />
          </Suspense>
        </div>
        <div className="min-w-0 max-w-176 flex-1">
          {data ? (
            <>
              {data.enabled && !data.own ? <KnowsNothing /> : null}
              <Settings bot={data} onUnsaved={setUnsavedName} />
              {admin ? (
                <Suspense>
                  <ModelSection />
                </Suspense>
              ) : null}
              {data.has_model ? <VoiceSettings bot={data} onUnsaved={setUnsavedVoice} /> : null}
            </>
          ) : (
            <Waiting error={error} retry={refetch} failed={t('bot_failed')} height="h-40" />
          )}
          <Rules />
        </div>
      </div>
    </Page>
  );
}

/** A bot without anything to answer from hands every question on: that should not be found out from visitors. */
function KnowsNothing() {
  const { data: knows = true } = useQuery(knowsAnythingQuery);
  if (knows) return null;
  return (
    <div className="mb-6">
      <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
        <p>{t('knows_nothing')}</p>
        <Link to="/knowledge" className="font-medium text-accent-text underline">
          {t('knows_nothing_action')}
        </Link>
      </Callout>
    </div>
  );
}

interface SettingsProps {
  bot: BotSettings;
  onUnsaved: (isUnsaved: boolean) => void;
}

function Settings({ bot, onUnsaved }: SettingsProps) {
  const client = useQueryClient();
  const admin = useMay('bot');
  const turn = useMutation({
    mutationFn: (enabled: boolean) => call('bot.update', { enabled }),
    onSuccess: (saved) => client.setQueryData(botQuery.queryKey, saved),
    onError: (error) => toast.error(t('bot_unchanged'), error),
  });
  return (
    <Section title={t('bot')} intro={admin ? undefined : t('admin_only')}>
      <div className="space-y-5">
        <Toggle
          label={t('answers')}
          hint={bot.enabled ? (bot.own ? undefined : t('answers_on')) : t('answers_off')}
          on={bot.enabled}
          disabled={!admin}
          busy={turn.isPending}
          onChange={turn.mutate}
        />
        {bot.enabled ? <OwnBot bot={bot} /> : null}
        <NameForm bot={bot} onUnsaved={onUnsaved} />
      </div>
    </Section>
  );
}

function NameForm({ bot, onUnsaved }: SettingsProps) {
  const client = useQueryClient();
  const admin = useMay('bot');
  const form = useForm({
    initial: { name: bot.name },
    save: (values) => call('bot.update', values),
    onSaved: (saved) => {
      client.setQueryData(botQuery.queryKey, saved);
      toast.success(t('bot_renamed', { name: saved.name }));
    },
    onFailed: (error) => {
      if (!(error instanceof ApiError && error.issue('name'))) toast.error(t('bot_unchanged'), error);
    },
  });
  const name = form.values.name.trim();
  const isUnsaved = name !== bot.name;
  useEffect(() => onUnsaved(isUnsaved), [onUnsaved, isUnsaved]);
  return (
    <form onSubmit={form.submit} className="flex items-end gap-2">
      <TextField
        label={t('name')}
        required
        maxLength={BOT_NAME_MAX}
        disabled={!admin}
        frame="w-64"
        {...form.text('name')}
      />
      {admin && isUnsaved ? (
        <Button type="submit" busy={form.saving} disabled={name === ''}>
          {tCommon('save')}
        </Button>
      ) : null}
    </form>
  );
}

/** What always calls a person; rules come on top of it. */
const ALWAYS = ['asked', 'silent', 'upset'] as const;

function Rules() {
  const mayChange = useMay('bot');
  const rules = useQuery(rulesQuery);
  const [editing, setEditing] = useState<HandoffRule | 'new' | null>(null);
  return (
    <Section
      title={t('rules')}
      intro={t('rules_intro')}
      actions={
        mayChange ? (
          <Button small icon={<Plus aria-hidden className="size-4" />} onClick={() => setEditing('new')}>
            {t('rule_new')}
          </Button>
        ) : null
      }
    >
      {!rules.data ? (
        <Waiting error={rules.error} retry={rules.refetch} failed={t('rules_failed')} rows={4} />
      ) : (
        <Rows label={t('rules_list')}>
          {ALWAYS.map((cause) => (
            <li key={cause} className="flex min-h-14 items-center gap-4 px-4 py-2">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{t(`always_${cause}`)}</p>
                <p className="text-soft">{t(`always_${cause}_hint`)}</p>
              </div>
              <Badge>{t('always')}</Badge>
            </li>
          ))}
          {rules.data?.map((rule) => (
            <RuleRow key={rule.id} rule={rule} mayChange={mayChange} onEdit={() => setEditing(rule)} />
          ))}
        </Rows>
      )}
      {editing ? (
        <RuleDialog rule={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      ) : null}
    </Section>
  );
}

function RuleRow({ rule, mayChange, onEdit }: { rule: HandoffRule; mayChange: boolean; onEdit: () => void }) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const segments = useQuery({ ...segmentNamesQuery, enabled: rule.segment_ids.length > 0 });
  return (
    <li className="flex min-h-14 items-center gap-2 py-2 ps-4 pe-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className={cx(LINE, 'font-medium')}>
            <bdi>{rule.name}</bdi>
          </span>
          {rule.enabled ? null : <Badge tone="warn">{t('rule_off')}</Badge>}
        </p>
        <p className="wrap-anywhere text-soft">
          <bdi>{ruleSentence(rule, segments.data ?? [])}</bdi>
        </p>
      </div>
      {mayChange ? (
        <>
          <IconButton label={t('rule_edit_named', { name: rule.name })} onClick={onEdit}>
            <Pencil aria-hidden className="size-4" />
          </IconButton>
          <IconButton label={t('rule_delete_named', { name: rule.name })} onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden className="size-4" />
          </IconButton>
        </>
      ) : null}
      <ConfirmAction
        open={deleting}
        onClose={() => setDeleting(false)}
        title={t('rule_delete_question', { name: rule.name })}
        action={t('rule_delete')}
        run={() => call('handoff_rules.delete', { id: rule.id })}
        onDone={async () => {
          await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
          toast.success(t('rule_deleted'));
        }}
      >
        {t('rule_delete_hint')}
      </ConfirmAction>
    </li>
  );
}
