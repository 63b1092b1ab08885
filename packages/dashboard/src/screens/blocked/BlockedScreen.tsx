import type { Block } from '@foyer/protocol';
import { BLOCK_KINDS, type BlockKind } from '@foyer/protocol/values/wire-names';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Ban, Globe, type LucideIcon, Mail, Network, Pencil, Plus, Quote, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { oneOf } from '../../address-search.ts';
import { call } from '../../api.ts';
import { agoInWords, dateOf } from '../../times.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/forms/Field.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Empty } from '../../ui/States.tsx';
import { useNow } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { BlockDialog } from './BlockDialog.tsx';
import { blocksQuery, nameOf } from './block-filter.ts';
import { ChallengeSetting } from './ChallengeSetting.tsx';
import { t } from './t.ts';

const route = getRouteApi('/desk/settings/blocked');

const ICONS: Readonly<Record<BlockKind, LucideIcon>> = {
  email: Mail,
  address: Network,
  country: Globe,
  phrase: Quote,
};

/** What the site blocks. */
export function BlockedScreen() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(blocksQuery(filter));
  const blocks = list.data?.pages.flatMap((page) => page.items) ?? [];
  const [edited, setEdited] = useState<Block | null | undefined>();
  const choose = (kind: BlockKind | undefined): void =>
    void navigate({ search: kind ? { kind } : {}, replace: true });
  return (
    <Page
      place={`blocked ${filter.kind ?? 'all'}`}
      title={t('title')}
      intro={t('intro')}
      actions={
        <Button look="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setEdited(null)}>
          {t('add')}
        </Button>
      }
      tools={<Tools kind={filter.kind} onChoose={choose} />}
    >
      <PagedList
        list={list}
        count={blocks.length}
        label={t('title')}
        failed={t('failed')}
        empty={
          <Empty icon={<Ban />} title={filter.kind ? t('none_found') : t('none')}>
            {t('none_hint')}
          </Empty>
        }
      >
        {blocks.map((block) => (
          <BlockRow key={block.id} block={block} onEdit={() => setEdited(block)} />
        ))}
      </PagedList>
      <ChallengeSetting />
      {edited === undefined ? null : (
        <BlockDialog block={edited} kind={filter.kind ?? 'email'} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  );
}

interface ToolsProps {
  kind: BlockKind | undefined;
  onChoose: (kind: BlockKind | undefined) => void;
}

/** Filters the list, and links to blocked visitors. */
function Tools({ kind, onChoose }: ToolsProps) {
  return (
    <>
      <SelectField
        bare
        label={t('kind')}
        frame="w-60 max-sm:flex-1"
        any={t('kind_all')}
        options={BLOCK_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
        value={kind ?? ''}
        onChange={({ target }) => onChoose(oneOf(target.value, BLOCK_KINDS))}
      />
      <Link to="/visitors" search={{ blocked: 'yes' }} className="ms-auto text-accent-text hover:underline">
        {t('visitors')}
      </Link>
    </>
  );
}

/** Removes a block, with Undo. */
function useRemove(block: Block) {
  const client = useQueryClient();
  const { kind, value, note, expires_utc, ticket_id } = block;
  const refresh = () => client.invalidateQueries({ queryKey: ['blocks'] });
  const again = (): void =>
    void call('blocks.create', {
      kind,
      value,
      note,
      expires_utc,
      ...(ticket_id === null ? {} : { ticket_id }),
    })
      .then(refresh)
      .catch((error: unknown) => toast.error(t('undo_failed'), error));
  return useMutation({
    mutationFn: () => call('blocks.delete', { id: block.id }),
    onSuccess: () => {
      toast.undoable(t('removed', { value: nameOf(block) }), again);
      return refresh();
    },
    onError: (error) => toast.error(t('remove_failed'), error),
  });
}

/** Leads to the ticket whose sender was blocked. */
function TicketLink({ id }: { id: number }) {
  return (
    <>
      {' · '}
      <Link
        to="/inbox/tickets/$ticketId"
        params={{ ticketId: String(id) }}
        search={{}}
        className="text-accent-text hover:underline"
      >
        {t('from_ticket', { id: String(id) })}
      </Link>
    </>
  );
}

function BlockRow({ block, onEdit }: { block: Block; onEdit: () => void }) {
  const { agent, created_utc, hits, last_hit_utc, expires_utc, note, ticket_id } = block;
  const now = useNow();
  const remove = useRemove(block);
  const Icon = ICONS[block.kind];
  const when = agoInWords(created_utc, now);
  const facts = [
    agent ? t('by', { name: agent.name, when }) : t('by_token', { when }),
    t('hits', { count: hits }),
    ...(last_hit_utc ? [t('last_hit', { when: agoInWords(last_hit_utc, now) })] : []),
    ...(expires_utc ? [t('until', { date: dateOf(expires_utc) })] : []),
  ];
  return (
    <li className="flex items-start gap-3 py-2 ps-4 pe-2">
      <Icon aria-label={t(`kind_${block.kind}`)} className="mt-1 size-4 shrink-0 text-soft" />
      <div className="wrap-anywhere min-w-0 flex-1">
        <p className="font-medium">
          <bdi>{nameOf(block)}</bdi>
        </p>
        {note ? <p dir="auto">{note}</p> : null}
        <p className="text-soft text-xs">
          {facts.join(' · ')}
          {ticket_id === null ? null : <TicketLink id={ticket_id} />}
        </p>
      </div>
      <Menu
        label={t('more', { value: nameOf(block) })}
        items={[
          { label: t('edit'), icon: <Pencil aria-hidden />, onSelect: onEdit },
          { label: t('remove'), icon: <Trash2 aria-hidden />, onSelect: () => remove.mutate() },
        ]}
      />
    </li>
  );
}
