import type { PreviewMessage } from '@foyer/protocol';
import { useEffect, useRef } from 'react';
import { cx } from '../../../ui/classes.ts';
import { t } from './t.ts';

interface PreviewFrameProps {
  message: PreviewMessage;
  device?: 'desktop' | 'phone';
  /** Extra height compared with a page, where what doesn't fit would scroll. */
  extraPx?: number;
}

const HEIGHT_PX = { desktop: 560, phone: 680 };

/** The real widget with a fake server; it connects to nothing. */
export function PreviewFrame({ message, device = 'desktop', extraPx = 0 }: PreviewFrameProps) {
  const frame = usePreviewFrame(message);
  return (
    <iframe
      ref={frame}
      // Only for looking at.
      inert
      title={t('preview_title')}
      src="/widget/preview"
      style={{ height: HEIGHT_PX[device] + extraPx }}
      className={cx(
        'max-w-full border bg-surface shadow-float',
        device === 'phone' ? 'w-[340px] self-center rounded-3xl' : 'w-[376px] rounded-2xl',
      )}
    />
  );
}

/** What the admin has chosen, without the times, which are new with every message. */
const wishOf = (message: PreviewMessage): string =>
  JSON.stringify(message, (name, value) => (name.endsWith('_utc') ? null : value));

/** Tells the frame what to show, once it is loaded and whenever that changes. */
function usePreviewFrame(message: PreviewMessage) {
  const frame = useRef<HTMLIFrameElement>(null);
  const latest = useRef(message);
  latest.current = message;
  const wish = wishOf(message);
  useEffect(() => {
    const tell = (): void => frame.current?.contentWindow?.postMessage(latest.current, location.origin);
    const hear = ({ source, data }: MessageEvent<unknown>): void => {
      const isReady =
        typeof data === 'object' && data !== null && 'type' in data && data.type === 'preview_ready';
      if (isReady && source === frame.current?.contentWindow) tell();
    };
    addEventListener('message', hear);
    if (wish) tell();
    return () => removeEventListener('message', hear);
  }, [wish]);
  return frame;
}
