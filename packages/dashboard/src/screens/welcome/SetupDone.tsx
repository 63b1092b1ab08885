import { MessageCircle } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { CopyBox } from '../../ui/Copy.tsx';
import { Callout } from '../../ui/States.tsx';
import { snippet } from '../settings/snippet.ts';
import { useWidgetPreview } from '../settings/widget-preview.ts';
import { Door } from './Door.tsx';
import { useEnter } from './door-calls.ts';

/** The end of the set-up: the snippet to take along, and the widget as visitors see it. */
export function SetupDone({ publicKey }: { publicKey: string }) {
  const enter = useEnter();
  const preview = useWidgetPreview(publicKey, true);
  return (
    <Door
      wide
      title="Your chat is ready"
      intro="Put these lines into every page that should have it, before </body>."
    >
      <div className="space-y-4">
        <CopyBox text={snippet(location.origin, publicKey)} label="Copy the snippet" wrap />
        <Callout icon={<MessageCircle aria-hidden />}>
          {preview === 'failed' ? (
            <p>The live preview could not be loaded here. On your own pages the snippet works by itself.</p>
          ) : (
            <p>
              <span className="font-medium">Try it now:</span> the button in the corner of this page is your
              live widget. Ask it something, or ask for a person; the chat shows in your inbox.
            </p>
          )}
        </Callout>
        <Button look="primary" onClick={() => enter('/app/inbox')}>
          Go to the inbox
        </Button>
      </div>
    </Door>
  );
}
