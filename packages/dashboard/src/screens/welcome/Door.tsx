import type { ReactNode } from 'react';
import { Mark } from '../../ui/Mark.tsx';

/** The page before one is in: one thing to do, in the middle. */
export function Door({
  title,
  intro,
  wide = false,
  children,
}: {
  title: string;
  intro?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <main className="scroll-y h-dvh bg-frame">
      <div className="flex min-h-full flex-col items-center justify-center px-4 py-10">
        <div className={`w-full ${wide ? 'max-w-xl' : 'max-w-100'}`}>
          <div className="mb-6 flex items-center gap-2">
            <Mark />
            <span className="font-semibold text-base">Foyer</span>
          </div>
          <div className="rounded-xl border bg-surface p-6 sm:p-8">
            <h1 className="wrap-anywhere font-semibold text-xl">{title}</h1>
            {intro ? <p className="mt-1 text-soft">{intro}</p> : null}
            <div className="mt-6">{children}</div>
          </div>
        </div>
      </div>
    </main>
  );
}
