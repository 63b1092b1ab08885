import { CircleAlert, MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../desk/DeskContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyBox, CopyText } from '../../ui/Copy.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Callout } from '../../ui/States.tsx';
import { ConsentSetting } from './ConsentSetting.tsx';
import { IdentityProof } from './IdentityProof.tsx';
import { snippet } from './snippet.ts';
import { useWidgetPreview } from './widget-preview.ts';

const IDENTIFY = `svc('identify', {
  user_id: '42',
  name: 'Mara Lind',
  email: 'mara@example.com',
  plan: 'pro',
});`;

const TRACK = `svc('track', 'order_placed', { order: 'A-1007', total: 49.9 });`;

/** How the chat gets onto a site. */
export function InstallSettings() {
  const { site, base_url } = useMe();
  const [trying, setTrying] = useState(false);
  const preview = useWidgetPreview(site.public_key, trying);
  return (
    <Page place="settings install" title="Install" intro="Two lines put the chat on your site.">
      <Section title="Snippet" intro="Into every page that should have the chat, before </body>.">
        <CopyBox text={snippet(base_url, site.public_key)} label="Copy the snippet" wrap />
        <div className="mt-2 flex flex-wrap items-center gap-1 text-soft">
          Public key: <CopyText text={site.public_key} label="Copy the public key" />
        </div>
      </Section>
      <Section title="Try it" intro="Loads your own widget into this page, as your visitors see it.">
        {preview === 'failed' ? (
          <Callout tone="warn" icon={<CircleAlert aria-hidden />}>
            The widget could not be loaded here. Reload this page and try again.
          </Callout>
        ) : trying ? (
          <Callout icon={<MessageCircle aria-hidden />}>
            The button in the corner of this page is your live widget. What you write there shows in the
            inbox.
          </Callout>
        ) : (
          <Button onClick={() => setTrying(true)} icon={<MessageCircle aria-hidden className="size-4" />}>
            Show the widget here
          </Button>
        )}
      </Section>
      <Section title="Say who is signed in" intro="Then agents see a name instead of a stand-in.">
        <CopyBox text={IDENTIFY} label="Copy the example of identify" />
      </Section>
      <IdentityProof />
      <Section title="Say what happens" intro="Events show beside the chat and on the visitor’s profile.">
        <CopyBox text={TRACK} label="Copy the example of track" />
      </Section>
      <ConsentSetting />
    </Page>
  );
}
