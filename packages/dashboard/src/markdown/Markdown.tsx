import { type Block, parseMarkdown } from '@foyer/protocol/browser/markdown/blocks';
import type { Inline } from '@foyer/protocol/browser/markdown/inline';
import { useRouter } from '@tanstack/react-router';
import { createContext, Fragment, type MouseEvent, type ReactNode, use, useMemo } from 'react';
import { openPath } from '../desk/sites/open-path.ts';

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;
const HEADING_LOOKS = [
  'mt-6 text-xl font-semibold first:mt-0',
  'mt-5 text-lg font-semibold first:mt-0',
  'mt-4 text-base font-semibold first:mt-0',
  'mt-4 font-semibold first:mt-0',
  'mt-4 font-semibold first:mt-0',
  'mt-4 font-semibold first:mt-0',
];

/** An agent or team mentioned in the text, and whether it is the reader or theirs. */
interface Named {
  name: string;
  isMe: boolean;
}
const NOBODY: readonly Named[] = [];
const Names = createContext(NOBODY);

const literally = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Plain text with highlighted mentions. */
function Words({ text }: { text: string }) {
  const names = use(Names);
  if (names.length === 0 || !text.includes('@')) return text;
  // If one name begins another, the longest one is meant.
  const longestFirst = names.toSorted((one, other) => other.name.length - one.name.length);
  const pattern = new RegExp(`(@(?:${longestFirst.map(({ name }) => literally(name)).join('|')}))`, 'g');
  return numbered(text.split(pattern), (part) => {
    const named = names.find(({ name }) => part === `@${name}`);
    if (!named) return part;
    return (
      <span
        className={
          named.isMe
            ? 'rounded-sm bg-accent px-1 font-medium text-on-accent'
            : 'rounded-sm bg-accent-ground px-1 font-medium text-accent-text'
        }
      >
        <bdi>{part}</bdi>
      </span>
    );
  });
}

const LINK = 'text-accent-text underline underline-offset-2';

/** The desk's path that an address leads to. */
function deskPathOf(href: string): string | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url?.origin !== globalThis.location?.origin || !url?.pathname.startsWith('/app/')) return undefined;
  return url.pathname + url.search + url.hash;
}

/** Links to the desk's own pages open in it, unless another tab is requested. */
function DeskLink({ path, children }: { path: string; children: ReactNode }) {
  const router = useRouter();
  const open = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openPath(router, path);
  };
  return (
    <a className={LINK} href={path} onClick={open}>
      {children}
    </a>
  );
}

function linked(href: string, children: ReactNode): ReactNode {
  const path = deskPathOf(href);
  if (path !== undefined) return <DeskLink path={path}>{children}</DeskLink>;
  return (
    <a className={LINK} href={href} rel="noopener noreferrer nofollow" target="_blank">
      {children}
    </a>
  );
}

function inline(node: Inline): ReactNode {
  if (typeof node === 'string') return <Words text={node} />;
  switch (node.type) {
    case 'break':
      return <br />;
    case 'code':
      return <code className="rounded-sm bg-hover px-1 font-mono text-[13px]">{node.text}</code>;
    case 'strong':
      return <strong className="font-semibold">{all(node.children)}</strong>;
    case 'em':
      return <em>{all(node.children)}</em>;
    case 'strike':
      return <s>{all(node.children)}</s>;
    case 'link':
      return linked(node.href, all(node.children));
  }
}

/** Nodes never change places, so their position is their key. */
const numbered = <T,>(items: readonly T[], show: (item: T) => ReactNode): ReactNode[] =>
  items.map((item, at) => <Fragment key={String(at)}>{show(item)}</Fragment>);

const all = (nodes: readonly Inline[]): ReactNode[] => numbered(nodes, inline);

function block(node: Block): ReactNode {
  switch (node.type) {
    case 'heading': {
      const at = Math.min(node.level, 6) - 1;
      const Tag = HEADINGS[at] ?? 'h6';
      return <Tag className={HEADING_LOOKS[at]}>{all(node.children)}</Tag>;
    }
    case 'paragraph':
      return <p className="mt-2 first:mt-0">{all(node.children)}</p>;
    case 'code':
      return (
        <pre
          dir="ltr"
          className="mt-2 whitespace-pre-wrap rounded-lg border bg-sunken p-3 font-mono text-[13px] first:mt-0"
        >
          <code>{node.text}</code>
        </pre>
      );
    case 'list': {
      const items = numbered(node.items, (item) => <li className="mt-1 ps-1">{blocks(item)}</li>);
      if (!node.ordered) return <ul className="mt-2 list-disc ps-5 first:mt-0">{items}</ul>;
      return (
        <ol className="mt-2 list-decimal ps-6 first:mt-0" start={node.start}>
          {items}
        </ol>
      );
    }
    case 'quote':
      return (
        <blockquote className="mt-2 border-line-strong border-s-2 ps-3 text-soft first:mt-0">
          {blocks(node.children)}
        </blockquote>
      );
    case 'table':
      return <Table head={node.head} rows={node.rows} />;
    case 'rule':
      return <hr className="my-4" />;
  }
}

const blocks = (nodes: readonly Block[]): ReactNode[] => numbered(nodes, block);

function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  const cell = 'border-b px-3 py-2 text-start align-top first:ps-0';
  return (
    <div className="mt-3 overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {numbered(head, (one) => (
              <th className={`${cell} font-medium`}>{all(one)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbered(rows, (row) => (
            <tr>
              {numbered(row, (one) => (
                <td className={cell}>{all(one)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface MarkdownProps {
  text: string;
  breaks?: boolean;
  names?: readonly Named[];
}

/** Markdown as React nodes: nothing in the text is ever read as HTML. */
export function Markdown({ text, breaks = false, names = NOBODY }: MarkdownProps) {
  const parsed = useMemo(() => parseMarkdown(text, { breaks, paths: true }), [text, breaks]);
  return (
    <div className="wrap-anywhere min-w-0" dir="auto">
      <Names value={names}>{blocks(parsed)}</Names>
    </div>
  );
}
