import { Segments } from '../../ui/Segments.tsx';
import { byName } from '../../words.ts';
import { t } from './t.ts';

/** So few are seen at a glance, in whatever order. */
const ORDERED_FROM = 5;

/** Of a list of what the team has made and uses. */
export type UsedOrder = 'name' | 'uses';

interface ListOrderProps {
  /** How many there are. */
  count: number;
  order: UsedOrder;
  onChange: (order: UsedOrder) => void;
}

/** By name, or the most used first. */
export const ListOrder = ({ count, order, onChange }: ListOrderProps) =>
  count < ORDERED_FROM ? null : (
    <div className="mb-3">
      <Segments
        label={t('order')}
        value={order}
        options={[
          { value: 'name', label: t('order_name') },
          { value: 'uses', label: t('order_uses') },
        ]}
        onChange={onChange}
      />
    </div>
  );

/** The order itself; what is used as often as another goes by its name. */
export const inUsedOrder =
  <T extends { name: string }>(order: UsedOrder, usesOf: (one: T) => number) =>
  (one: T, other: T): number =>
    (order === 'uses' ? usesOf(other) - usesOf(one) : 0) || byName(one, other);
