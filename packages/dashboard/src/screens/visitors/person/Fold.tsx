import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { store } from '../../../storage.ts';

const keyOf = (name: string): string => `foyer.person.${name}`;

interface FoldProps {
  /** The key under which its state is remembered. */
  name: string;
  title: string;
  /** Beside the title, even while closed. */
  mark?: ReactNode;
  actions?: ReactNode;
  isClosed?: boolean;
  children: ReactNode;
}

/** A collapsible section of a profile, whose state is remembered for all people. */
export function Fold({ name, title, mark, actions, isClosed = false, children }: FoldProps) {
  const [open, setOpen] = useState(() => (store.getItem(keyOf(name)) ?? (isClosed ? 'no' : 'yes')) === 'yes');
  const toggle = (): void => {
    setOpen(!open);
    store.setItem(keyOf(name), open ? 'no' : 'yes');
  };
  return (
    <section aria-label={title} className="border-t py-2">
      <div className="flex min-h-8 items-center gap-2">
        <h3 className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={open}
            onClick={toggle}
            className="-ms-1.5 flex h-8 max-w-full items-center gap-1 rounded-md pe-2 font-medium text-soft text-xs hover:text-text max-md:h-10"
          >
            <ChevronRight
              aria-hidden
              className={`size-4 shrink-0 rtl:-scale-x-100 ${open ? 'rotate-90 rtl:scale-x-100' : ''}`}
            />
            <span className="truncate">{title}</span>
            {mark}
          </button>
        </h3>
        {open ? actions : null}
      </div>
      {open ? <div className="pt-1 pb-2">{children}</div> : null}
    </section>
  );
}
