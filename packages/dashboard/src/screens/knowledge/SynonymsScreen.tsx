import type { SynonymList } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { synonymsQuery } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { ListBones } from '../../ui/States.tsx';
import { say } from '../../ui/toast-store.ts';
import { groupsOf, linesOfGroups } from './synonym-lines.ts';

/** What the site's customers call the same thing: found by either word. */
export function SynonymsScreen() {
  const { data, error, refetch } = useQuery(synonymsQuery);
  return (
    <Page
      place="synonyms"
      title="Synonyms"
      intro="Words that mean the same to your customers. Whoever asks with one finds articles with another."
      back={{ to: '/knowledge', label: 'Knowledge' }}
    >
      {data ? (
        <SynonymForm saved={data} />
      ) : error ? (
        <ErrorNote error={error} title="The synonyms could not be loaded." onRetry={() => void refetch()} />
      ) : (
        <ListBones rows={3} face={false} />
      )}
    </Page>
  );
}

function SynonymForm({ saved }: { saved: SynonymList }) {
  const admin = useIsAdmin();
  const client = useQueryClient();
  const [text, setText] = useState(() => linesOfGroups(saved.groups));
  const { groups, wrong } = groupsOf(text);
  const save = useMutation({
    mutationFn: () => call('synonyms.update', { groups }),
    onSuccess: (now) => {
      client.setQueryData(synonymsQuery.queryKey, now);
      setText(linesOfGroups(now.groups));
      say('Saved. The bot goes by it from the next question on.');
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wrong === undefined) save.mutate();
  };
  return (
    <form onSubmit={submit} className="grid max-w-160 gap-4">
      <TextArea
        label="Groups"
        hint="One group a line, with commas between the words."
        placeholder={'trainers, sneakers, running shoes\nlamp, light'}
        fault={wrong}
        rows={12}
        value={text}
        readOnly={!admin}
        onChange={(event) => setText(event.target.value)}
      />
      {save.error ? <ErrorNote error={save.error} title="Nothing was changed." /> : null}
      {admin ? (
        <div>
          <Button
            type="submit"
            look="primary"
            disabled={wrong !== undefined || save.isPending || text === linesOfGroups(saved.groups)}
          >
            Save synonyms
          </Button>
        </div>
      ) : (
        <p className="text-soft">Only admins change synonyms.</p>
      )}
    </form>
  );
}
