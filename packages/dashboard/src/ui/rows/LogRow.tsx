import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cx } from '../classes.ts';
import { Ago } from '../Time.tsx';

interface LogRowProps {
  /** Before the row, such as a checkbox. */
  lead?: ReactNode;
  title: ReactNode;
  /** Left out where there is little room. */
  note: ReactNode;
  badge: ReactNode;
  utc: string;
  /** The details, rendered only while the row is open. */
  children: () => ReactNode;
}

/** One entry of a log of calls, which opens to show what was sent and answered. */
export function LogRow({ lead, title, note, badge, utc, children }: LogRowProps) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <div className="flex">
        {lead}
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-outline-offset-2 flex min-h-11 w-full min-w-0 flex-1 items-center gap-3 px-4 py-2 text-start hover:bg-hover"
        >
          <ChevronRight
            aria-hidden
            className={cx('size-4 shrink-0 text-faint', open ? 'rotate-90' : 'rtl:rotate-180')}
          />
          <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
          <span className="shrink-0 text-soft text-xs max-lg:hidden">{note}</span>
          {badge}
          <span className="w-14 shrink-0 text-end text-faint text-xs">
            <Ago utc={utc} />
          </span>
        </button>
      </div>
      {open ? <div className="space-y-3 border-t bg-sunken px-4 py-3">{children()}</div> : null}
    </li>
  );
}

/** Text as it was sent or received. */
export function LogText({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <p className="mb-1 font-medium text-soft text-xs">{label}</p>
      <pre className="wrap-anywhere whitespace-pre-wrap rounded-lg border bg-surface p-3 font-mono text-xs">
        {children}
      </pre>
    </div>
  );
}
