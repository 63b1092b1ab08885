import { createLink } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ComponentProps } from 'react';

/** A list row that is a link as a whole. */
export const LinkRow = createLink(({ children, ...link }: ComponentProps<'a'>) => (
  <a {...link} className="-outline-offset-2 flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-hover">
    {children}
    <ChevronRight aria-hidden className="size-4 shrink-0 text-faint rtl:rotate-180" />
  </a>
));
