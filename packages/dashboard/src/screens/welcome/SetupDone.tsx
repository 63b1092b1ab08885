import { MessageCircle } from 'lucide-react';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyBox } from '../../ui/CopyBox.tsx';
import { Callout } from '../../ui/States.tsx';
import { LocalAddressNote } from '../settings/install/LocalAddressNote.tsx';
import { snippet } from '../settings/install/snippet.ts';
import { useWidgetPreview } from '../settings/install/widget-preview.ts';
import { Door } from './Door.tsx';
import { useEnter } from './door-calls.ts';
import { t } from './t.ts';

interface SetupDoneProps {
  publicKey: string;
  baseUrl: string;
  /** FOYER_BASE_URL isn't set, so that an admin sets the address. */
  asksAddress: boolean;
}

/** The end of the setup: the snippet to copy, and the widget as visitors see it. */
export function SetupDone({ publicKey, baseUrl, asksAddress }: SetupDoneProps) {
  const enter = useEnter();
  const preview = useWidgetPreview(publicKey, true);
  return (
    <Door wide title={t('ready')} intro={t('snippet_hint')}>
      <div className="space-y-4">
        <CopyBox text={snippet(baseUrl, publicKey)} label={t('snippet_copy')} wrap />
        <LocalAddressNote baseUrl={baseUrl} set={asksAddress ? 'settings' : 'variable'} />
        <Callout icon={<MessageCircle aria-hidden />}>
          {preview === 'failed' ? (
            <p>{t('preview_failed')}</p>
          ) : (
            <p>{t.rich('try_now', { now: <span className="font-medium">{t('try_now_label')}</span> })}</p>
          )}
        </Callout>
        <Button look="primary" onClick={() => enter('/app/inbox')}>
          {tCommon('to_inbox')}
        </Button>
      </div>
    </Door>
  );
}
