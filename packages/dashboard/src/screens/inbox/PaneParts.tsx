import type { ReactNode } from 'react';

/** A section of the pane beside a conversation. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t py-4">
      <h3 className="mb-2 font-medium text-soft text-xs">{title}</h3>
      {children}
    </section>
  );
}

/** A labelled value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="w-24 shrink-0 truncate text-soft" title={name}>
        {name}
      </dt>
      <dd className="wrap-anywhere min-w-0 flex-1">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

/** The text of an empty section. */
export const Nothing = ({ children }: { children: ReactNode }) => <p className="text-faint">{children}</p>;
