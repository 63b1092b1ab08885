import type { Macro, OutputOf } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Copy, Pencil, Plus, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { macrosQuery, macroUsesQuery } from '../../../queries.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { Page, Rows } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { VisibilityMark } from '../../visibility/VisibilityMark.tsx';
import { useMayChange } from '../../visibility/visibility.ts';
import { inUsedOrder, ListOrder, namedLike, type UsedOrder } from '../ListOrder.tsx';
import { stepWord } from './steps.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/settings/macros');

type Use = OutputOf<'macros.uses'>['macros'][number];

const NewMacro = () => (
  <Link to="/settings/macros/new" className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('new')}
  </Link>
);

/** The macros that the agent sees, with how often each was used. */
export function MacroSettings() {
  const { q = '' } = route.useSearch();
  const go = route.useNavigate();
  const { data, error, refetch } = useQuery(macrosQuery);
  const uses = useQuery(macroUsesQuery).data?.macros;
  const [order, setOrder] = useState<UsedOrder>('name');
  const [deleting, setDeleting] = useState<Macro | null>(null);
  const helpOf = (macro: Macro): Use | undefined => uses?.find(({ id }) => id === macro.id);
  const times = (macro: Macro): number => helpOf(macro)?.uses ?? 0;
  const macros = data?.items.toSorted(inUsedOrder(order, times));
  const shown = namedLike(macros ?? [], q);
  const add = <NewMacro />;
  return (
    <Page
      place="settings macros"
      title={t('title')}
      intro={t('intro')}
      actions={macros && macros.length > 0 ? add : null}
    >
      {!macros ? (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={4} />
      ) : macros.length === 0 ? (
        <Empty icon={<Zap />} title={t('none')} action={add}>
          {t('none_hint')}
        </Empty>
      ) : (
        <>
          <ListOrder
            count={macros.length}
            order={order}
            onChange={setOrder}
            q={q}
            found={shown.length}
            onSearch={(search) => void go({ search, replace: true })}
          />
          <Rows label={t('title')}>
            {shown.map((macro) => (
              <MacroRow key={macro.id} macro={macro} use={helpOf(macro)} onDelete={setDeleting} />
            ))}
          </Rows>
        </>
      )}
      {deleting ? <DeleteMacro macro={deleting} onClose={() => setDeleting(null)} /> : null}
    </Page>
  );
}

interface MacroRowProps {
  macro: Macro;
  /** Undefined until it is loaded. */
  use: Use | undefined;
  onDelete: (macro: Macro) => void;
}

function MacroRow({ macro, use, onDelete }: MacroRowProps) {
  const navigate = useNavigate();
  const macroId = String(macro.id);
  const mayChange = useMayChange()(macro);
  const steps = [...new Set(macro.actions.map(({ type }) => stepWord(type)))];
  return (
    <li className="flex items-center gap-2 pe-2 hover:bg-hover">
      <Link
        to="/settings/macros/$macroId"
        params={{ macroId }}
        className="-outline-offset-2 flex min-h-14 min-w-0 flex-1 flex-wrap items-center gap-x-4 py-2 ps-4"
      >
        <span className="min-w-0 flex-1 basis-52">
          <span className="flex items-center gap-2">
            <span className={cx(LINE, 'font-medium')}>
              <bdi>{macro.name}</bdi>
            </span>
            <VisibilityMark seen={macro} />
          </span>
          <span className="block truncate text-soft text-xs">{steps.join(' · ')}</span>
        </span>
        {use ? (
          <span className="tabular text-soft text-xs">
            {use.uses === 0 ? t('used_never') : t('used', { count: use.uses })}
            {use.last_used_utc ? (
              <> · {t.rich('used_last', { when: <Ago words utc={use.last_used_utc} /> })}</>
            ) : null}
          </span>
        ) : null}
      </Link>
      <Menu
        label={t('more', { name: macro.name })}
        items={[
          mayChange && {
            label: t('edit'),
            icon: <Pencil aria-hidden />,
            onSelect: () => void navigate({ to: '/settings/macros/$macroId', params: { macroId } }),
          },
          {
            label: t('duplicate'),
            icon: <Copy aria-hidden />,
            onSelect: () => void navigate({ to: '/settings/macros/new', search: { like: macro.id } }),
          },
          mayChange && {
            label: t('delete'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => onDelete(macro),
          },
        ]}
      />
    </li>
  );
}

function DeleteMacro({ macro, onClose }: { macro: Macro; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      open
      onClose={onClose}
      title={t('delete_ask', { name: macro.name })}
      action={t('delete_action')}
      run={() => call('macros.delete', { id: macro.id })}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: macrosQuery.queryKey });
        toast.success(t('deleted', { name: macro.name }));
        onClose();
      }}
    >
      {t('delete_hint')}
    </ConfirmAction>
  );
}
