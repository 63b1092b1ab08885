import type { Source } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface SourceLinkProps {
  source: Source;
  className?: string;
  children: ReactNode;
}

/** A link to what an answer is based on: an article, or a document of a source. */
export function SourceLink({ source, className, children }: SourceLinkProps) {
  return 'article_id' in source ? (
    <Link to="/knowledge/$articleId" params={{ articleId: String(source.article_id) }} className={className}>
      {children}
    </Link>
  ) : (
    <Link
      to="/knowledge/documents/$documentId"
      params={{ documentId: String(source.document_id) }}
      className={className}
    >
      {children}
    </Link>
  );
}

/** Identifies a source among those of one answer. */
export const sourceKeyOf = (source: Source): string =>
  'article_id' in source ? `article ${source.article_id}` : `document ${source.document_id}`;
