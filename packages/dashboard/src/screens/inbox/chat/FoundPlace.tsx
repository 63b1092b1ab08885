import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** The message that the address leads to, by its key in the timeline; empty: none. */
export const useFoundPlace = (): string => useLocation({ select: ({ hash }) => hash });

/** Scrolls a search hit into view and highlights it. */
export function FoundPlace({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <div
      ref={box}
      data-found
      className="mt-4 rounded-xl outline-2 outline-accent outline-offset-4 first:mt-0"
    >
      {children}
    </div>
  );
}
