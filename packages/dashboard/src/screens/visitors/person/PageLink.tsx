import { safeHref } from '@foyer/protocol/browser/markdown/inline';
import { ExternalLink } from 'lucide-react';

/** A page of the site by its title or address; opens in a new tab. */
export function PageLink({ url, title }: { url: string; title?: string | null }) {
  const href = safeHref(url, false);
  const short = title || url.replace(/^https?:\/\//, '');
  if (!href) return <bdi className="wrap-anywhere">{short}</bdi>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={url}
      className="inline-flex max-w-full items-center gap-1 text-accent-text hover:underline"
    >
      <bdi className="truncate">{short}</bdi>
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
    </a>
  );
}
