import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { callPage } from '../../../api.ts';
import type { TextProps } from '../../../forms/use-form.ts';
import { cx } from '../../../ui/classes.ts';
import { Face } from '../../../ui/Face.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';

const OFFERED = 5;
/** A single letter occurs in almost every address. */
const TYPED_LEAST = 2;

export interface KnownCustomer {
  name: string | null;
  email: string;
}

/** Customers with an email address whose name or address contains the words. */
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
  // Several visitors can share an address; a ticket belongs to the address.
  const unique = new Map(known.map((one) => [one.email.toLowerCase(), one]));
  return [...unique.values()].filter(({ email }) => email !== q);
}

/** The list below the field, while something is typed and nothing is chosen. The field keeps the focus. */
function useCustomerChoice(written: string, onChoose: (customer: KnownCustomer) => void) {
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const known = useKnown(isOpen ? written : '');
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
  return { known, at, look: () => setOpen(true), choose, press, close };
}

interface CustomerOptionProps {
  id: string;
  customer: KnownCustomer;
  /** Enter chooses it. */
  isChosen: boolean;
  onChoose: (customer: KnownCustomer) => void;
}

function CustomerOption({ id, customer, isChosen, onChoose }: CustomerOptionProps) {
  const { name, email } = customer;
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      // The field keeps the focus.
      onMouseDown={(event) => {
        event.preventDefault();
        onChoose(customer);
      }}
      className={cx(
        'flex h-9 cursor-default items-center gap-2 rounded-md px-2 max-md:h-11',
        isChosen ? 'bg-pressed' : 'hover:bg-hover',
      )}
    >
      <Face kind="visitor" name={name} size="small" />
      <span className="min-w-0 flex-1 truncate">
        {name ? (
          <>
            <bdi>{name}</bdi> <span className="text-soft">· {email}</span>
          </>
        ) : (
          email
        )}
      </span>
    </div>
  );
}

interface CustomerEmailProps extends TextProps {
  onChoose: (customer: KnownCustomer) => void;
}

/** The ticket's customer: an address, or a known customer found by typing. */
export function CustomerEmail({ onChoose, ...field }: CustomerEmailProps) {
  const id = useId();
  const { known, at, look, choose, press, close } = useCustomerChoice(field.value, onChoose);
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
        {...(known[at] ? { 'aria-activedescendant': `${id}-${at}` } : {})}
        autoFocus
        autoComplete="off"
        hint={t('customer_email_hint')}
        onChange={(event) => {
          look();
          field.onChange(event);
        }}
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
          <CustomerOption
            key={customer.email}
            id={`${id}-${place}`}
            customer={customer}
            isChosen={place === at}
            onChoose={choose}
          />
        ))}
      </div>
    </div>
  );
}
