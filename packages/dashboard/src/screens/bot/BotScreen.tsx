import type { BotSettings, HandoffRule } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Page, Rows, Section } from '../../ui/Page.tsx';
import { Badge, Bone, ListBones } from '../../ui/States.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { KnowledgeTabs } from '../knowledge/KnowledgeTabs.tsx';
import { botQuery, rulesQuery, segmentNamesQuery } from './bot-queries.ts';
import { RuleDialog } from './RuleDialog.tsx';
import { ruleSentence } from './rule-words.ts';
import { VoiceSettings } from './VoiceSettings.tsx';

/** What the bot is called, whether it speaks, and when it calls a person. */
export function BotScreen() {
  const { data, error, refetch } = useQuery(botQuery);
  return (
    <Page wide place="bot" title="Knowledge" tabs={<KnowledgeTabs />}>
      <div className="max-w-3xl">
        {data ? (
          <>
            <Settings bot={data} />
            {data.has_model ? <VoiceSettings bot={data} /> : null}
          </>
        ) : error ? (
          <ErrorNote
            error={error}
            title="The bot’s settings could not be loaded."
            onRetry={() => void refetch()}
          />
        ) : (
          <Bone className="late pulse-soft h-40" />
        )}
        <Rules />
      </div>
    </Page>
  );
}

function Settings({ bot }: { bot: BotSettings }) {
  const { agent } = useMe();
  const client = useQueryClient();
  const [name, setName] = useState(bot.name);
  const mayChange = agent.role === 'admin';
  const save = useMutation({
    mutationFn: (change: { name?: string; enabled?: boolean }) => call('bot.update', change),
    onSuccess: (saved, change) => {
      client.setQueryData(botQuery.queryKey, saved);
      if (change.name !== undefined) say(`The bot is called ${saved.name} now.`);
    },
    onError: (error) => {
      if (!(error instanceof ApiError && error.issue('name'))) complain('The bot was not changed', error);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate({ name });
  };
  const issue = save.error instanceof ApiError ? save.error.issue('name') : undefined;
  return (
    <Section title="The bot" intro={mayChange ? undefined : 'Only an admin can change it.'}>
      <div className="space-y-5">
        <Toggle
          label="Answers visitors"
          hint={
            bot.enabled
              ? 'From published articles, with the source. When it doesn’t know, it says so.'
              : 'Switched off: whoever writes waits for a person.'
          }
          on={bot.enabled}
          disabled={!mayChange || save.isPending}
          onChange={(enabled) => save.mutate({ enabled })}
        />
        <form onSubmit={submit} className="flex items-end gap-2">
          <TextField
            label="Name"
            required
            maxLength={60}
            disabled={!mayChange}
            frame="w-64"
            value={name}
            error={issue}
            onChange={(event) => setName(event.target.value)}
          />
          {mayChange && name.trim() !== bot.name ? (
            <Button type="submit" busy={save.isPending} disabled={name.trim() === ''}>
              Save
            </Button>
          ) : null}
        </form>
      </div>
    </Section>
  );
}

/** What always calls a person; rules come on top of it. */
const ALWAYS = [
  ['A visitor asks for one', 'In fourteen languages: “Can I talk to a person?”'],
  [
    'Two questions without an answer',
    'In a row. The bot says so, and the visitor sees that the team was called.',
  ],
  ['A visitor is angry', 'Strong words, or milder ones in capitals or with exclamation marks.'],
] as const;

function Rules() {
  const { agent } = useMe();
  const rules = useQuery(rulesQuery);
  const [editing, setEditing] = useState<HandoffRule | 'new' | null>(null);
  const mayChange = agent.role === 'admin';
  return (
    <Section
      title="When it calls a person"
      intro="Whoever waits sees that the team was called, and is asked for an e-mail address when nobody is there."
      actions={
        mayChange ? (
          <Button small icon={<Plus aria-hidden className="size-4" />} onClick={() => setEditing('new')}>
            New rule
          </Button>
        ) : null
      }
    >
      {rules.error && !rules.data ? (
        <ErrorNote
          error={rules.error}
          title="The rules could not be loaded."
          onRetry={() => void rules.refetch()}
        />
      ) : rules.isPending ? (
        <ListBones rows={4} face={false} />
      ) : (
        <Rows label="When a person is called">
          {ALWAYS.map(([title, means]) => (
            <li key={title} className="flex min-h-14 items-center gap-4 px-4 py-2">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{title}</p>
                <p className="text-soft">{means}</p>
              </div>
              <Badge>Always</Badge>
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
  const remove = useMutation({
    mutationFn: () => call('handoff_rules.delete', { id: rule.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      say('The rule was deleted.');
    },
  });
  return (
    <li className="flex min-h-14 items-center gap-2 py-2 ps-4 pe-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">
            <bdi>{rule.name}</bdi>
          </span>
          {rule.enabled ? null : <Badge tone="warn">Off</Badge>}
        </p>
        <p className="wrap-anywhere text-soft">
          <bdi>{ruleSentence(rule, segments.data ?? [])}</bdi>
        </p>
      </div>
      {mayChange ? (
        <>
          <IconButton label={`Edit “${rule.name}”`} onClick={onEdit}>
            <Pencil aria-hidden className="size-4" />
          </IconButton>
          <IconButton label={`Delete “${rule.name}”`} onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden className="size-4" />
          </IconButton>
        </>
      ) : null}
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete the rule “${rule.name}”?`}
        action="Delete rule"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
      >
        The bot answers again where this rule called a person. To keep it for later, switch it off instead.
      </Confirm>
    </li>
  );
}
