import { type Block, parseMarkdown } from '@foyer/protocol/browser/markdown/blocks';
import { type Inline, linkify } from '@foyer/protocol/browser/markdown/inline';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

/** Text of bot and agents. Builds elements one by one, without any HTML. */
export const Rich = ({ text }: { text: string }) => {
  // Unchanged elements aren't compared again: a chat may have thousands.
  const blocks = useMemo(() => parseMarkdown(text, { breaks: true, paths: false }).map(renderBlock), [text]);
  return <div class="rich">{blocks}</div>;
};

/** A visitor's text, verbatim. */
export const Plain = ({ text }: { text: string }) => {
  const line = useMemo(() => linkify(text).map(renderInline), [text]);
  return <p class="plain">{line}</p>;
};

const renderBlock = (block: Block): ComponentChildren => {
  if (block.type === 'code') {
    return (
      <pre dir="ltr">
        <code>{block.text}</code>
      </pre>
    );
  }
  if (block.type === 'list') {
    const items = block.items.map((item) => <li>{item.map(renderBlock)}</li>);
    return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
  }
  if (block.type === 'quote') return <blockquote>{block.children.map(renderBlock)}</blockquote>;
  if (block.type === 'rule') return <hr />;
  if (block.type === 'table') {
    const rows = [block.head, ...block.rows].map((row, at) => {
      const Cell = at === 0 ? 'th' : 'td';
      return (
        <tr>
          {row.map((cell) => (
            <Cell>{cell.map(renderInline)}</Cell>
          ))}
        </tr>
      );
    });
    return <table>{rows}</table>;
  }
  const children = block.children.map(renderInline);
  // A message has no headings for the page's outline.
  if (block.type === 'heading') return <p class="rich-heading">{children}</p>;
  return <p>{children}</p>;
};

const renderInline = (item: Inline): ComponentChildren => {
  if (typeof item === 'string') return item;
  if (item.type === 'break') return <br />;
  if (item.type === 'code') return <code dir="ltr">{item.text}</code>;
  const children = item.children.map(renderInline);
  if (item.type === 'link') {
    return (
      <a href={item.href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    );
  }
  if (item.type === 'strike') return <s>{children}</s>;
  return item.type === 'strong' ? <strong>{children}</strong> : <em>{children}</em>;
};
