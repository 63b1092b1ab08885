import type { Viewer } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useDesk } from '../../../desk/DeskContext.tsx';
import { formatList } from '../../../language.ts';
import { agentsQuery } from '../../../queries.ts';
import { Face } from '../../../ui/Face.tsx';
import { t } from './t.ts';

const FACES_MOST = 4;

function wordsOf(viewers: readonly Viewer[]): string {
  const names = (replying: boolean): string[] =>
    viewers.filter((one) => one.replying === replying).map(({ name }) => name);
  const [writing, reading] = [names(true), names(false)];
  const parts = [
    writing.length === 0
      ? ''
      : t(writing.length === 1 ? 'viewer_replies' : 'viewers_reply', { names: formatList(writing) }),
    reading.length === 0
      ? ''
      : t(reading.length === 1 ? 'viewer_views' : 'viewers_view', { names: formatList(reading) }),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Who else has this open, and who is replying, before two send the same answer. */
export function ViewersLine({ place }: { place: string }) {
  const { viewers: known } = useDesk();
  const viewers = useSyncExternalStore(known.subscribe, () => known.of(place));
  const { data: team } = useQuery({ ...agentsQuery, enabled: viewers.length > 0 });
  const pictureOf = (id: number) => team?.agents.find((agent) => agent.id === id)?.picture_url;
  const isWriting = viewers.some(({ replying }) => replying);
  return (
    <div role="status">
      {viewers.length > 0 ? (
        <p
          className={`flex min-h-9 items-center gap-2 border-b px-4 py-1 text-xs ${isWriting ? 'border-warn-line bg-warn-ground text-warn-text' : 'text-soft'}`}
        >
          <span className="flex shrink-0 gap-1">
            {viewers.slice(0, FACES_MOST).map(({ id, name }) => (
              <Face key={id} kind="agent" name={name} picture={pictureOf(id)} size="small" />
            ))}
          </span>
          <span className="wrap-anywhere min-w-0 line-clamp-2" dir="auto">
            {wordsOf(viewers)}
          </span>
        </p>
      ) : null}
    </div>
  );
}
