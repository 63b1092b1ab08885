import type { Field } from '@foyer/protocol';
import { FIELD_OWNERS, type FieldOwner } from '@foyer/protocol/values/fields/field-names';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GripVertical, ListPlus, Plus } from 'lucide-react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { buttonLook } from '../../../ui/Button.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { MoveButtons, movedIn, useRowOrder } from '../../../ui/rows/RowOrder.tsx';
import { Badge, Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { useReorder } from '../../../use-reorder.ts';
import { customFieldsQuery, fieldsOf } from '../../fields/fields-query.ts';
import { AdminOnly } from '../AdminOnly.tsx';
import { t } from './t.ts';

export { FieldScreen } from './FieldScreen.tsx';

const NewField = () => (
  <Link to="/settings/fields/$id" params={{ id: 'new' }} className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('new')}
  </Link>
);

/** The fields of tickets, chats and people, each in their order, and those that are archived. */
export function FieldsSettings() {
  const admin = useMay('workflow');
  const { data, error, refetch } = useQuery(customFieldsQuery);
  const archived = data?.items.filter(({ archived_utc }) => archived_utc !== null) ?? [];
  const owners = FIELD_OWNERS.filter((owner) => fieldsOf(data?.items, owner).length > 0);
  return (
    <Page
      place="settings fields"
      title={t('title')}
      intro={t('intro')}
      actions={admin && owners.length > 0 ? <NewField /> : null}
    >
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
      ) : (
        <AdminOnly may="workflow">
          {owners.length === 0 ? (
            <Empty icon={<ListPlus />} title={t('none')} action={admin ? <NewField /> : null}>
              {t('none_hint')}
            </Empty>
          ) : (
            owners.map((owner) => (
              <Section key={owner} title={t(`of_${owner}`)}>
                <OrderedFields owner={owner} fields={fieldsOf(data.items, owner)} isFixed={!admin} />
              </Section>
            ))
          )}
          {archived.length > 0 ? (
            <Section title={t('archived')} intro={t('archived_intro')}>
              <Rows label={t('archived')}>
                {archived.map((field) => (
                  <li key={field.id} className="flex items-center ps-3 pe-4">
                    <FieldLink field={field} />
                    <span className="shrink-0 text-soft text-xs">{t(`of_${field.applies_to}`)}</span>
                  </li>
                ))}
              </Rows>
            </Section>
          ) : null}
        </AdminOnly>
      )}
    </Page>
  );
}

interface OrderedFieldsProps {
  owner: FieldOwner;
  fields: Field[];
  isFixed: boolean;
}

function OrderedFields({ owner, fields, isFixed }: OrderedFieldsProps) {
  const reorder = useReorder<Field>({
    queryKey: customFieldsQuery.queryKey,
    write: (place) => call('fields.update', place),
    failure: () => t('order_failed'),
  });
  const order = useRowOrder({
    count: fields.length,
    off: isFixed || reorder.isPending,
    // With their places, so that the list shows the new order before the server has it.
    onMove: (from, to) => reorder.mutate(movedIn(fields, from, to)),
    words: (from, to) => t('row_moved', { name: fields[from]?.name ?? '', to: to + 1, total: fields.length }),
  });
  return (
    <>
      {order.status}
      <Rows label={t(`of_${owner}`)}>
        {fields.map((field, at) => (
          <li
            key={field.id}
            {...order.rowProps(at)}
            className={cx('flex items-center gap-2 ps-3 pe-2', order.lookOf(at))}
          >
            {isFixed ? null : (
              <GripVertical aria-hidden className="size-4 shrink-0 cursor-grab text-faint max-md:hidden" />
            )}
            <FieldLink field={field} />
            {isFixed ? null : (
              <MoveButtons
                at={at}
                count={fields.length}
                up={t('move_up', { name: field.name })}
                down={t('move_down', { name: field.name })}
                busy={reorder.isPending}
                onMove={order.move}
              />
            )}
          </li>
        ))}
      </Rows>
    </>
  );
}

const FieldLink = ({ field }: { field: Field }) => (
  <Link
    to="/settings/fields/$id"
    params={{ id: String(field.id) }}
    className="flex min-h-14 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 py-2"
  >
    <span className="min-w-32 flex-1">
      <span className={cx(LINE, 'block font-medium')}>
        <bdi>{field.name}</bdi>
      </span>
      <span className="block truncate text-soft text-xs">
        {t(`kind_${field.kind}`)} · <code>{field.key}</code>
      </span>
    </span>
    {field.required ? <Badge>{t('required')}</Badge> : null}
    {field.visible ? <Badge tone="accent">{t('visible_short')}</Badge> : null}
  </Link>
);
