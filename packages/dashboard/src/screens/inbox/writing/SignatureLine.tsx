import { fillSignature } from '@foyer/protocol/values/macro-text';
import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../../desk/DeskContext.tsx';
import type { Markdown } from '../../../markdown/Markdown.tsx';
import { ticketMailQuery } from '../../../queries.ts';
import { cx } from '../../../ui/classes.ts';
import { CheckField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';

interface SignatureLineProps {
  ticketId: number;
  isSigned: boolean;
  onChange: (isSigned: boolean) => void;
  /** Passed in from the ticket: importing it here would split it from the first load. */
  as: typeof Markdown;
}

/** The signature of the reply's email, and whether it is added. Hidden if no email is sent. */
export function SignatureLine({ ticketId, isSigned, onChange, as: Shown }: SignatureLineProps) {
  const { agent, site, signature } = useMe();
  const { data: mail } = useQuery(ticketMailQuery(ticketId));
  const shown = fillSignature(signature || site.signature, agent.name, site.name);
  if (shown === '' || !mail?.goes_to) return null;
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1 border-t border-dashed mx-3.5 py-2 text-soft text-xs">
      <div
        className={cx(
          'max-h-24 min-w-0 flex-1 basis-48 overflow-y-auto',
          !isSigned && 'line-through opacity-60',
        )}
      >
        <Shown breaks text={shown} />
      </div>
      <CheckField
        label={t('signature')}
        checked={isSigned}
        onChange={({ target }) => onChange(target.checked)}
      />
    </div>
  );
}
