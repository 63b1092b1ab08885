import type { Starter } from '@foyer/protocol';
import { useMe } from '../../../desk/DeskContext.tsx';
import { PreviewFrame } from '../../settings/widget/PreviewFrame.tsx';
import { previewMessage } from '../../settings/widget/preview-frames.ts';
import { t } from '../t.ts';

/** How many fit the frame. */
const STARTERS_FIT = 3;
const STARTER_PX = 45;

/** The widget's first page for a new visitor. */
export function StartersPreview({ starters }: { starters: readonly Starter[] }) {
  const { site } = useMe();
  return (
    <section aria-label={t('starters_preview')} className="xl:sticky xl:top-4">
      <div className="flex flex-col items-center overflow-hidden rounded-lg border bg-sunken p-4">
        <PreviewFrame
          message={previewMessage(site, { place: 'home', starters, isNew: true })}
          extraPx={Math.max(0, starters.length - STARTERS_FIT) * STARTER_PX}
        />
      </div>
    </section>
  );
}
