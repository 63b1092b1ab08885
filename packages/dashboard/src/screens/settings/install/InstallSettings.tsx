import { CircleAlert, MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../../desk/DeskContext.tsx';
import { Button } from '../../../ui/Button.tsx';
import { CopyText } from '../../../ui/Copy.tsx';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { ConsentSetting } from './ConsentSetting.tsx';
import { IdentityProof } from './IdentityProof.tsx';
import { PublicAddress } from './PublicAddress.tsx';
import { snippet } from './snippet.ts';
import { t } from './t.ts';
import { useWidgetPreview } from './widget-preview.ts';

const IDENTIFY = `svc('identify', {
  user_id: '42',
  name: 'Mara Lind',
  email: 'mara@example.com',
  plan: 'pro',
});`;

const TRACK = `svc('track', 'order_placed', { order: 'A-1007', total: 49.9 });`;

/** How to install the chat on a site. */
export function InstallSettings() {
  const { site, base_url } = useMe();
  const [trying, setTrying] = useState(false);
  const preview = useWidgetPreview(site.public_key, trying);
  return (
    <Page place="settings install" title={t('title')} intro={t('intro')}>
      <Section title={t('snippet')} intro={t('snippet_intro')}>
        <CopyBox text={snippet(base_url, site.public_key)} label={t('snippet_copy')} wrap />
        <div className="mt-3 empty:hidden">
          <PublicAddress />
        </div>
        <div className="mt-2 flex flex-wrap items-center gap-1 text-soft">
          {t.rich('public_key', {
            key: <CopyText text={site.public_key} label={t('public_key_copy')} />,
          })}
        </div>
      </Section>
      <Section title={t('try')} intro={t('try_intro')}>
        {preview === 'failed' ? (
          <Callout tone="warn" icon={<CircleAlert aria-hidden />}>
            {t('try_failed')}
          </Callout>
        ) : trying ? (
          <Callout icon={<MessageCircle aria-hidden />}>{t('try_shown')}</Callout>
        ) : (
          <Button onClick={() => setTrying(true)} icon={<MessageCircle aria-hidden className="size-4" />}>
            {t('try_show')}
          </Button>
        )}
      </Section>
      <Section title={t('identify')} intro={t('identify_intro')}>
        <CopyBox text={IDENTIFY} label={t('identify_copy')} />
      </Section>
      <IdentityProof />
      <Section title={t('track')} intro={t('track_intro')}>
        <CopyBox text={TRACK} label={t('track_copy')} />
      </Section>
      <ConsentSetting />
    </Page>
  );
}
