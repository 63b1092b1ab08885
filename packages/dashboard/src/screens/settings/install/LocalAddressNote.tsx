import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Callout } from '../../../ui/States.tsx';
import { isLocalAddress } from './local-address.ts';
import { t } from './t.ts';

const VARIABLE = 'FOYER_BASE_URL';

interface LocalAddressNoteProps {
  baseUrl: string;
  /** Where the address is set: beside this note, in the settings, or by the operator. */
  set: 'here' | 'settings' | 'variable';
  children?: ReactNode;
}

/** Warns about a snippet that visitors' browsers couldn't load. */
export function LocalAddressNote({ baseUrl, set, children }: LocalAddressNoteProps) {
  if (!isLocalAddress(baseUrl)) return null;
  const address = <code className="font-mono">{baseUrl}</code>;
  return (
    <Callout tone="warn" icon={<CircleAlert aria-hidden />}>
      <p>
        {set === 'variable'
          ? t.rich('local_variable', { address, variable: <code className="font-mono">{VARIABLE}</code> })
          : t.rich(set === 'here' ? 'local_here' : 'local_settings', { address })}
      </p>
      {children}
    </Callout>
  );
}
