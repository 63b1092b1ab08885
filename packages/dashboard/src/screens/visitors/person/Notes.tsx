import { uuidV7 } from '@foyer/protocol/browser/ids';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { tCommon } from '../../../t-common.ts';
import { Button } from '../../../ui/Button.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { t } from '../t.ts';
import { Fold } from './Fold.tsx';
import { NoteBody, NoteForm } from './NoteBody.tsx';
import { type Person, timelineQuery, useChange } from './person-queries.ts';

const SHOWN = 10;

/** The team's internal notes on a person. */
export function Notes({ person }: { person: Person }) {
  const list = useInfiniteQuery(timelineQuery(person.key, 'note', SHOWN));
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Fold name="notes" title={t('notes')}>
      <AddNote key={person.key} person={person} />
      <ul className="mt-3 space-y-2">
        {entries.map((entry) =>
          entry.kind === 'note' ? (
            <li key={entry.id}>
              <NoteBody note={entry.note} />
              <Ago words utc={entry.at_utc} className="text-faint text-xs" />
            </li>
          ) : null,
        )}
      </ul>
      {list.hasNextPage ? (
        <Button small look="quiet" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {tCommon('show_more')}
        </Button>
      ) : null}
    </Fold>
  );
}

function AddNote({ person }: { person: Person }) {
  const [text, setText] = useState('');
  /** The same until it is stored, so that a retry creates no second note. */
  const id = useRef(uuidV7());
  const add = useChange('visitor_notes.create', { failed: t('note_not_saved') });
  const save = (): void =>
    add.mutate(
      { key: person.key, client_id: id.current, text: text.trim() },
      {
        onSuccess: () => {
          id.current = uuidV7();
          setText('');
        },
      },
    );
  return <NoteForm text={text} onText={setText} busy={add.isPending} onSave={save} />;
}
