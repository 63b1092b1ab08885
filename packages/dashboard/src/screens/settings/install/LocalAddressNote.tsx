import { CircleAlert } from 'lucide-react';
import { Callout } from '../../../ui/States.tsx';
import { isLocalAddress } from './local-address.ts';
import { t } from './t.ts';

const VARIABLE = 'FOYER_BASE_URL';

/** Warns about a snippet that visitors' browsers couldn't load. */
export function LocalAddressNote({ baseUrl }: { baseUrl: string }) {
  if (!isLocalAddress(baseUrl)) return null;
  return (
    <Callout tone="warn" icon={<CircleAlert aria-hidden />}>
      <p>
        {t.rich('local_address', {
          address: <code className="font-mono">{baseUrl}</code>,
          variable: <code className="font-mono">{VARIABLE}</code>,
        })}
      </p>
    </Callout>
  );
}
