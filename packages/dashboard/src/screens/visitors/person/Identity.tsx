import { EMAIL_MAX, VISITOR_NAME_MAX } from '@foyer/protocol/values/bounds';
import { BadgeCheck, Ban, ShieldQuestion } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { agoInWords } from '../../../times.ts';
import { Face } from '../../../ui/Face.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { t } from '../t.ts';
import { type Person, useChange } from './person-queries.ts';

interface IdentityProps {
  person: Person;
  /** Whether the chat beside it was started with a proof. */
  isProven?: boolean | undefined;
}

/** The person's identity and its source; name and address are edited in place. */
export function Identity({ person, isProven }: IdentityProps) {
  return (
    <div className="pt-5 pb-4">
      <div className="flex items-start gap-3">
        <Face
          kind="visitor"
          name={person.name}
          size="large"
          {...(person.here ? { presence: 'online' } : {})}
        />
        <div className="min-w-0 flex-1">
          <InPlace person={person} field="name" />
          <InPlace person={person} field="email" />
        </div>
      </div>
      <div className="mt-2 space-y-1 text-soft text-xs">
        <Proof person={person} isProven={isProven} />
        {person.blocked_utc ? <Blocked person={person} utc={person.blocked_utc} /> : null}
      </div>
    </div>
  );
}

function InPlace({ person, field }: { person: Person; field: 'name' | 'email' }) {
  const mayChange = useMay('people');
  const known = person[field] ?? '';
  // An update of the person, such as a new address from the chat, doesn't overwrite what is being typed.
  const [written, setWritten] = useState<string>();
  const text = written ?? known;
  const change = useChange('visitors.update', { done: t('saved'), failed: t('not_changed') });
  const label = t(field === 'name' ? 'fact_name' : 'fact_email');
  const keep = (): void => {
    const value = text.trim();
    if (value === known) setWritten(undefined);
    else
      change.mutate(
        { key: person.key, [field]: value === '' ? null : value },
        { onSuccess: () => setWritten((now) => (now === written ? undefined : now)) },
      );
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    event.currentTarget.querySelector('input')?.blur();
  };
  if (!mayChange && known === '') return null;
  const wrong = change.error instanceof ApiError ? change.error.issue(field) : undefined;
  return (
    <form onSubmit={submit}>
      <input
        aria-label={label}
        aria-invalid={wrong ? true : undefined}
        type={field === 'email' ? 'email' : 'text'}
        dir="auto"
        maxLength={field === 'email' ? EMAIL_MAX : VISITOR_NAME_MAX}
        placeholder={t(field === 'name' ? 'name_none' : 'email_none')}
        readOnly={!mayChange}
        value={text}
        onChange={(event) => setWritten(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === known) return;
          event.stopPropagation();
          setWritten(undefined);
        }}
        onBlur={keep}
        className={`-ms-1.5 w-full truncate rounded-md bg-transparent px-1.5 py-0.5 placeholder:text-faint focus-visible:bg-field not-read-only:hover:bg-hover aria-invalid:outline-2 aria-invalid:outline-danger max-md:h-10 max-md:text-[16px] ${
          field === 'name' ? 'font-semibold text-base' : 'text-soft'
        }`}
      />
    </form>
  );
}

/** Verified or not, and why. */
function Proof({ person, isProven }: Pick<IdentityProps, 'person' | 'isProven'>) {
  const now = useNow();
  const isAnonymous = person.key.startsWith('anon_');
  if (isProven || (isProven === undefined && person.verified_utc)) {
    return (
      <Line icon={<BadgeCheck aria-hidden className="text-good-text" />}>
        {person.verified_utc
          ? t('verified_why', { when: agoInWords(person.verified_utc, now) })
          : t('verified_here')}
      </Line>
    );
  }
  return (
    <Line icon={<ShieldQuestion aria-hidden />}>
      {isAnonymous
        ? t(person.name || person.email ? 'told_why' : 'anonymous_why')
        : isProven === false
          ? t('unverified_here')
          : t('unverified_why')}
    </Line>
  );
}

function Blocked({ person, utc }: { person: Person; utc: string }) {
  const when = agoInWords(utc, useNow());
  return (
    <Line icon={<Ban aria-hidden className="text-danger-text" />}>
      {person.blocked_by
        ? t('blocked_why', { name: person.blocked_by.name, when })
        : t('blocked_since', { when })}
    </Line>
  );
}

const Line = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <p className="flex items-start gap-1.5 [&>svg]:size-4 [&>svg]:shrink-0">
    {icon}
    <span className="wrap-anywhere min-w-0">{children}</span>
  </p>
);
