import type { Tag } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Merge, Pencil, Plus, Tag as TagIcon, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { tagsQuery, tagUsesQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { Page, Rows } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { TagDot } from '../../inbox/TagDot.tsx';
import { inUsedOrder, ListOrder, namedLike, type UsedOrder } from '../ListOrder.tsx';
import { DeleteTag } from './DeleteTag.tsx';
import { MergeTag } from './MergeTag.tsx';
import { TagDialog } from './TagDialog.tsx';
import { t } from './t.ts';
import { type UsedTag, usesOf, wordsOfUses } from './tag-words.ts';

const route = getRouteApi('/desk/settings/tags');

type Asking = { what: 'edit' | 'merge' | 'delete'; tag: UsedTag } | { what: 'new' } | null;

const UNUSED = { chats: 0, tickets: 0, macros: 0, views: 0 };
/** The tags with their usage. */
function useUsedTags(): { tags: UsedTag[]; most: number } {
  const items = useQuery(tagsQuery).data?.items ?? [];
  const { data } = useQuery(tagUsesQuery);
  const byId = new Map(data?.tags.map((uses) => [uses.id, uses]));
  const withUses = (tag: Tag): UsedTag => ({ ...tag, uses: byId.get(tag.id) ?? { id: tag.id, ...UNUSED } });
  return { tags: items.map(withUses), most: data?.most ?? 0 };
}

/** The team's tags: create, change, merge and delete. */
export function TagSettings() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(tagsQuery);
  const { tags, most } = useUsedTags();
  const [order, setOrder] = useState<UsedOrder>('name');
  const [asking, setAsking] = useState<Asking>(null);
  const close = (): void => setAsking(null);
  const mayChange = useMay('shared');
  const add = mayChange ? (
    <Button
      look="primary"
      icon={<Plus aria-hidden className="size-4" />}
      onClick={() => setAsking({ what: 'new' })}
    >
      {t('new')}
    </Button>
  ) : null;
  const sorted = tags.toSorted(inUsedOrder(order, usesOf));
  const shown = namedLike(sorted, q);
  return (
    <Page place="settings tags" title={t('title')} intro={t('intro')} actions={tags.length > 0 ? add : null}>
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={4} />
      ) : tags.length === 0 ? (
        <Empty icon={<TagIcon />} title={t('none')} action={add}>
          {t('none_hint')}
        </Empty>
      ) : (
        <>
          <ListOrder
            count={tags.length}
            order={order}
            onChange={setOrder}
            q={q}
            found={shown.length}
            onSearch={(search) => void navigate({ search, replace: true })}
          />
          <Rows label={t('title')}>
            {shown.map((tag) => (
              <TagRow key={tag.id} tag={tag} most={most} alone={tags.length === 1} onAsk={setAsking} />
            ))}
          </Rows>
        </>
      )}
      {asking?.what === 'new' ? <TagDialog tag={null} onClose={close} /> : null}
      {asking?.what === 'edit' ? <TagDialog tag={asking.tag} onClose={close} /> : null}
      {asking?.what === 'merge' ? <MergeTag tag={asking.tag} tags={sorted} onClose={close} /> : null}
      {asking?.what === 'delete' ? <DeleteTag tag={asking.tag} most={most} onClose={close} /> : null}
    </Page>
  );
}

interface TagRowProps {
  tag: UsedTag;
  most: number;
  /** There is no other tag to merge it into. */
  alone: boolean;
  onAsk: (asking: Asking) => void;
}

function TagRow({ tag, most, alone, onAsk }: TagRowProps) {
  const mayChange = useMay('shared');
  const mayDelete = useMay('workflow');
  return (
    <li className="flex min-h-10 items-center gap-3 py-1.5 ps-4 pe-2">
      <TagDot color={tag.color} />
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <p className={cx(LINE, 'min-w-0 font-medium')}>
          <bdi>{tag.name}</bdi>
        </p>
        <p className="tabular ms-auto text-soft text-xs">
          {most === 0 ? null : wordsOfUses(tag.uses, most) || t('unused')}
        </p>
      </div>
      <Menu
        label={t('more', { name: tag.name })}
        items={[
          mayChange && {
            label: t('edit'),
            icon: <Pencil aria-hidden />,
            onSelect: () => onAsk({ what: 'edit', tag }),
          },
          mayDelete &&
            !alone && {
              label: t('merge_other'),
              icon: <Merge aria-hidden />,
              onSelect: () => onAsk({ what: 'merge', tag }),
            },
          mayDelete && {
            label: t('delete'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => onAsk({ what: 'delete', tag }),
          },
        ]}
      />
    </li>
  );
}
