import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, type KeyboardEvent, useId, useState } from 'react';
import { callPage } from '../../../api.ts';
import { cx } from '../../../ui/classes.ts';
import { Face } from '../../../ui/Face.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';

const OFFERED = 5;
/** A single letter is in every other address. */
const TYPED_LEAST = 2;

export interface KnownCustomer {
  name: string | null;
  email: string;
}

/** Customers with an email whose name or email has these words. */
function useKnown(written: string): KnownCustomer[] {
  const q = written.trim();
  const isOn = q.length >= TYPED_LEAST;
  const { data } = useQuery({
    queryKey: ['visitors', 'found', q, OFFERED],
    queryFn: ({ signal }) => callPage('visitors.find', { q, limit: OFFERED }, signal),
    placeholderData: keepPreviousData,
    enabled: isOn,
  });
  if (!isOn) return [];
  const known = (data?.items ?? []).flatMap(({ name, email }) => (email ? [{ name, email }] : []));
  // Several visitors can have one address; a ticket goes by the address.
  const unique = new Map(known.map((one) => [one.email.toLowerCase(), one]));
  return [...unique.values()].filter(({ email }) => email !== q);
}

interface CustomerEmailProps extends Pick<ComponentProps<typeof TextField>, 'error' | 'onChange'> {
  value: string;
  onChoose: (customer: KnownCustomer) => void;
}

/** Whose ticket it is: an address, or a known customer by the beginning of it. */
export function CustomerEmail({ onChoose, ...field }: CustomerEmailProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const known = useKnown(isOpen ? field.value : '');
  const chosen = known[at];
  const close = (): void => {
    setOpen(false);
    setAt(-1);
  };
  const choose = (customer: KnownCustomer): void => {
    close();
    onChoose(customer);
  };
  const press = (event: KeyboardEvent): void => {
    if (known.length === 0) return;
    if (event.key === 'ArrowDown') setAt((at + 1) % known.length);
    else if (event.key === 'ArrowUp') setAt((Math.max(at, 0) + known.length - 1) % known.length);
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="relative">
      <TextField
        {...field}
        label={t('customer_email')}
        type="email"
        role="combobox"
        aria-expanded={known.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        {...(chosen ? { 'aria-activedescendant': `${id}-${at}` } : {})}
        autoFocus
        autoComplete="off"
        hint={t('customer_email_hint')}
        onInput={() => setOpen(true)}
        onKeyDown={press}
        onBlur={close}
      />
      <div
        id={id}
        role="listbox"
        aria-label={t('known_customers')}
        className={cx(
          'absolute inset-x-0 top-16 z-50 rounded-lg bg-raised p-1 shadow-float max-md:top-18',
          known.length === 0 && 'hidden',
        )}
      >
        {known.map((customer, place) => (
          <div
            key={customer.email}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            // The field keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              choose(customer);
            }}
            className={cx(
              'flex h-9 cursor-default items-center gap-2 rounded-md px-2 max-md:h-11',
              place === at ? 'bg-pressed' : 'hover:bg-hover',
            )}
          >
            <Face kind="visitor" name={customer.name} size="small" />
            <span className="min-w-0 flex-1 truncate">
              {customer.name ? (
                <>
                  <bdi>{customer.name}</bdi> <span className="text-soft">· {customer.email}</span>
                </>
              ) : (
                customer.email
              )}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
