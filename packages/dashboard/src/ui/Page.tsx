import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './classes.ts';
import { useRowPlace } from './rows/row-place.ts';
import { useScrollPlace } from './rows/scroll-place.ts';

interface PageProps {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  /** The parent list. */
  back?: {
    to:
      | '/visitors'
      | '/visitors/segments'
      | '/knowledge'
      | '/knowledge/actions'
      | '/knowledge/evaluation'
      | '/knowledge/sources'
      | '/settings/import'
      | '/settings/fields'
      | '/settings/macros'
      | '/settings/mailboxes'
      | '/settings/single-sign-on'
      | '/settings/roles'
      | '/settings/rules'
      | '/settings/proactive'
      | '/settings/slas'
      | '/settings/teams'
      | '/settings/webhooks';
    label: string;
  };
  /** Links to sibling pages, below the title. */
  tabs?: ReactNode;
  /** A fixed row below the title: search and filters. */
  tools?: ReactNode;
  /** Identifies the page for its scroll position. */
  place: string;
  /** For tables and panes. Otherwise the text width is limited for readability. */
  wide?: boolean;
  children: ReactNode;
}

/** For every page, so that its content starts at the same position. */
const COLUMN = 'mx-auto w-full max-w-6xl px-4 md:px-8';

/** A one-column screen: title, actions, scrolling content. */
export function Page({ title, intro, actions, back, tabs, tools, place, wide = false, children }: PageProps) {
  const scroll = useScrollPlace<HTMLDivElement>(place);
  const width = wide ? '' : 'max-w-176';
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <div ref={scroll} className="scroll-y min-h-0 flex-1 [scrollbar-gutter:stable]">
        <div className={cx(COLUMN, 'pt-6 pb-4 md:pt-8')}>
          <div className={cx(width, 'flex flex-wrap items-start justify-between gap-x-4 gap-y-3')}>
            <div className="min-w-0 flex-1 basis-52">
              {back ? (
                <Link
                  to={back.to}
                  className="-ms-1 inline-flex min-h-6 items-center gap-1 text-soft hover:text-text max-md:min-h-10"
                >
                  <ChevronLeft aria-hidden className="size-4 rtl:rotate-180" />
                  {back.label}
                </Link>
              ) : null}
              <h1 className="wrap-anywhere line-clamp-3 font-semibold text-xl" title={title}>
                {title}
              </h1>
              {intro && !tabs ? <p className="wrap-anywhere mt-1 max-w-xl text-soft">{intro}</p> : null}
            </div>
            {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
          </div>
        </div>
        {tabs ? (
          <div className={cx(COLUMN, 'pb-4')}>
            {tabs}
            {intro ? <p className="mt-4 max-w-xl text-soft">{intro}</p> : null}
          </div>
        ) : null}
        {tools ? (
          <div className="sticky top-0 z-10 bg-surface low:static">
            <div className={cx(COLUMN, 'py-2')}>
              <div className={cx(width, 'flex flex-wrap items-center gap-2')}>{tools}</div>
            </div>
          </div>
        ) : null}
        <div className={cx(COLUMN, 'pt-2 pb-12')}>
          <div className={width}>{children}</div>
        </div>
      </div>
    </div>
  );
}

/** A part of a page with its own heading. */
export function Section({
  title,
  intro,
  actions,
  children,
}: {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mt-8 first:mt-0">
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="font-semibold text-base">{title}</h2>
          {intro ? <p className="max-w-xl text-soft">{intro}</p> : null}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Rows on one background, with lines between. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="divide-y overflow-hidden rounded-lg border empty:hidden"
      {...useRowPlace()}
    >
      {children}
    </ul>
  );
}
