import type { BulkChangeAction, BulkChangeState, BulkTarget } from '@foyer/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { inWords } from '../../../errors/refusals.ts';
import { wordsAreThere } from '../../../language.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { changeBulk, isRunning } from './bulk-state.ts';
import { t } from './t.ts';

const LOOK_EVERY_MS = 400;
/** The changes that this page has reported. */
const told = new Set<number>();
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

/** Polls until the change is done. An interrupted connection ends nothing: the server continues. */
async function settled(begun: BulkChangeState): Promise<BulkChangeState> {
  let state = begun;
  told.add(begun.id);
  while (state.finished_utc === null) {
    changeBulk({ running: { done: state.succeeded + state.failed, total: state.total } });
    await pause();
    state = await call('bulk_changes.get', { id: state.id });
  }
  return state;
}

async function failuresIn({ failures }: BulkChangeState): Promise<Map<string, string>> {
  const said = failures.map(async ({ ticket_id, session_id, code, message, reason, values }) => {
    const refusal = { code, message, ...(reason ? { reason } : {}), ...(values ? { values } : {}) };
    const key = ticket_id === null ? (session_id ?? '') : `ticket ${ticket_id}`;
    return [key, (await inWords(refusal)).message] as const;
  });
  return new Map(await Promise.all(said));
}

async function follow(client: QueryClient, begin: () => Promise<BulkChangeState>): Promise<BulkChangeState> {
  changeBulk({ running: { done: 0, total: 0 }, failures: new Map() });
  try {
    const state = await settled(await begin());
    changeBulk({ failures: await failuresIn(state) });
    return state;
  } finally {
    changeBulk({ running: null });
    for (const key of ['sessions', 'tickets', 'inbox', 'saved_views', 'tags'])
      void client.invalidateQueries({ queryKey: [key] });
  }
}

async function takeBack(client: QueryClient, id: number): Promise<void> {
  try {
    const { succeeded } = await follow(client, () => call('bulk_changes.undo', { id }));
    toast.success(t('undone', { count: succeeded }));
  } catch (error) {
    toast.error(t('undo_failed'), error);
  }
}

async function tell(
  client: QueryClient,
  begin: () => Promise<BulkChangeState>,
  words: (count: number) => string,
): Promise<void> {
  try {
    const { id, succeeded, undoable } = await follow(client, begin);
    if (succeeded === 0) return;
    // Those that already were like that, and closed chats: Undo will count the others.
    const rest = succeeded - undoable;
    const text = rest > 0 ? t('nothing_to_undo', { count: rest }) : '';
    if (undoable > 0) toast.undoable(words(succeeded), () => void takeBack(client, id), text);
    else toast.success(words(succeeded));
  } catch (error) {
    toast.error(t('failed'), error);
  }
}

const WORDS = { delete: 'deleted', none: 'undone', other: 'changed' } as const;

/** Continues to report a change begun before this page was loaded, or in another tab. */
export async function resumeBulk(client: QueryClient): Promise<void> {
  if (isRunning()) return;
  const { latest } = await call('bulk_changes.latest', {}).catch(() => ({ latest: null }));
  if (!latest || told.has(latest.id) || isRunning()) return;
  const { action, ...state } = latest;
  // A finished undo offers nothing more.
  if (action === null && state.finished_utc !== null) return;
  // Nothing has rendered this folder's words yet, and only rendering waits for them.
  await wordsAreThere();
  const words = WORDS[action === null ? 'none' : action === 'delete' ? 'delete' : 'other'];
  await tell(
    client,
    async () => state,
    (count) => t(words, { count }),
  );
}

/**
 * Starts a bulk change and reports its result: failures stay with their rows, and the message offers Undo.
 * @param words the sentence for this many changed records
 */
export async function changeMany(
  client: QueryClient,
  of: BulkTarget,
  change: BulkChangeAction,
  words: (count: number) => string,
): Promise<void> {
  if (isRunning()) return toast.success(t('one_at_a_time'));
  await tell(client, () => call('bulk_changes.start', { of, change }), words);
}
