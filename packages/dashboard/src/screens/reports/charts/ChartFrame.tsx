import { ChevronRight } from 'lucide-react';
import { Children, type ReactNode } from 'react';
import { BY_KEYBOARD } from '../../../ui/by-keyboard.ts';
import { t } from '../t.ts';

interface DataTable {
  readonly head: readonly string[];
  /** The first cell of a row is its header. */
  readonly rows: readonly (readonly ReactNode[])[];
}

interface ChartFrameProps {
  title: string;
  /** The main figures in a sentence. */
  summary: ReactNode;
  /** Further sentences, one per line. */
  notes?: readonly ReactNode[];
  children?: ReactNode;
  /** The same figures as a table. */
  table?: DataTable | undefined;
}

/** A title, a summary, a chart, and its figures as a table. */
export function ChartFrame({ title, summary, notes = [], children, table }: ChartFrameProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border p-4">
      <h2 className="font-semibold text-base">{title}</h2>
      <p className="wrap-anywhere mt-1 text-soft">{summary}</p>
      {Children.map(notes, (note) => (
        <p className="wrap-anywhere text-soft">{note}</p>
      ))}
      {children ? <div className="mt-4">{children}</div> : null}
      {table ? (
        <details className="group mt-3">
          <summary className="inline-flex min-h-6 list-none items-center gap-1 text-soft text-xs hover:text-text max-md:min-h-10">
            <ChevronRight aria-hidden className="size-3.5 group-open:rotate-90 rtl:-scale-x-100" />
            {t('as_table')}
          </summary>
          <FigureTable caption={title} table={table} />
        </details>
      ) : null}
    </section>
  );
}

/** A table of figures that scrolls if it is too wide. */
export function FigureTable({ caption, table }: { caption: string; table: DataTable }) {
  // Two agents may have the same name.
  const rows = table.rows.map(([name, ...cells], at) => ({ key: String(at), name, cells }));
  return (
    <section
      aria-label={t('table_of', { caption })}
      {...BY_KEYBOARD}
      className="mt-2 max-h-96 overflow-auto rounded-md border"
    >
      <table className="tabular w-full border-collapse text-start">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {table.head.map((name, at) => (
              <th
                key={name}
                scope="col"
                className={`sticky top-0 whitespace-nowrap border-b bg-sunken px-3 py-2 font-medium text-soft text-xs ${at === 0 ? 'text-start' : 'text-end'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, cells }) => (
            <tr key={key} className="border-b last:border-b-0">
              <th scope="row" className="wrap-anywhere min-w-40 px-3 py-2 text-start font-normal">
                {typeof name === 'string' ? <bdi>{name}</bdi> : name}
              </th>
              {cells.map((cell, at) => (
                <td key={table.head[at + 1]} className="whitespace-nowrap px-3 py-2 text-end">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
