import { useQuery } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { showSandboxed } from '../../../policy/trusted.ts';
import { mailHtmlQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Bone } from '../../../ui/States.tsx';
import { t } from './t.ts';

/** A mail can ask for any height; a taller one scrolls in its frame. */
const HEIGHT_MAX = 20_000;

/**
 * No scripts and no forms, whatever the mail contains; links open new tabs. It has the desk's origin, which nothing in
 * it can use without scripts, so that the desk can measure it.
 */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

interface MailHtmlProps {
  ticketId: number;
  mailId: number;
  /** Shown if the HTML can't be loaded. */
  fallback: ReactNode;
}

/** A mail with its formatting. Images of other servers are shown on request. */
export function MailHtml({ ticketId, mailId, fallback }: MailHtmlProps) {
  const [withImages, setWithImages] = useState(false);
  const query = useQuery({
    ...mailHtmlQuery(ticketId, mailId, withImages),
    placeholderData: (shown) => shown,
  });
  if (query.isError)
    return (
      <>
        {fallback}
        <ErrorNote error={query.error} title={t('html_failed')} />
      </>
    );
  const { data } = query;
  if (!data) return <Bone className="h-32 w-full" />;
  return (
    <>
      {data.blocked_images > 0 && !withImages ? (
        <p className="mb-2 flex flex-wrap items-center gap-x-2 rounded-lg bg-hover px-3 py-1 text-soft text-xs">
          <ImageOff aria-hidden className="size-3.5" />
          <span className="min-w-0 flex-1">{t('images_blocked', { count: data.blocked_images })}</span>
          <Button small look="quiet" onClick={() => setWithImages(true)}>
            {t('show_images')}
          </Button>
        </p>
      ) : null}
      <Sheet html={data.html} />
    </>
  );
}

function Sheet({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(96);
  const [shown, setShown] = useState(0);
  useLayoutEffect(() => {
    if (frame.current) showSandboxed(frame.current, html);
  }, [html]);
  useEffect(() => {
    const page = frame.current?.contentDocument?.documentElement;
    if (!page || shown === 0) return;
    const measure = () => setHeight(Math.min(HEIGHT_MAX, Math.ceil(page.getBoundingClientRect().height)));
    const observer = new ResizeObserver(measure);
    observer.observe(page);
    measure();
    return () => observer.disconnect();
  }, [shown]);
  return (
    <div className="overflow-hidden rounded-lg border bg-white">
      <iframe
        ref={frame}
        title={t('frame')}
        sandbox={SANDBOX}
        onLoad={() => setShown((count) => count + 1)}
        className="block w-full"
        style={{ height }}
      />
    </div>
  );
}
