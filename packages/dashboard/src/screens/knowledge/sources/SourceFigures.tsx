import type { KnowledgeDocument, KnowledgeSource } from '@foyer/protocol';
import { TriangleAlert } from 'lucide-react';
import { momentOf } from '../../../times.ts';
import { Badge } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { sizeInWords } from '../../settings/plan/size-words.ts';
import { isUnderWay } from './source-queries.ts';
import { t } from './t.ts';

type Figured = KnowledgeSource | KnowledgeDocument;

/** The state as a label; nothing for one that is ready, as nearly all are. */
export function SourceState({ of }: { of: Figured }) {
  if (of.state === 'ready') return null;
  return <Badge tone={isUnderWay(of) ? 'plain' : 'danger'}>{t(`state_${of.state}`)}</Badge>;
}

interface SourceFiguresProps {
  of: Figured;
  /** Of a sitemap: how many pages have text. */
  pages?: number | undefined;
}

/** Size, use and age. */
export function SourceFigures({ of, pages }: SourceFiguresProps) {
  const { passages, bytes, uses, read_utc, last_used_utc } = of;
  if (read_utc === null) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-soft text-xs">
      {pages === undefined ? null : <span className="tabular">{t('pages_count', { count: pages })}</span>}
      <span className="tabular">{t('passages', { count: passages })}</span>
      <span className="tabular">{sizeInWords(bytes)}</span>
      <span className="tabular">{uses === 0 ? t('unused') : t('uses', { count: uses })}</span>
      {last_used_utc === null ? null : (
        <span>{t.rich('used', { when: <Ago words utc={last_used_utc} /> })}</span>
      )}
      <span>{t.rich('read', { when: <Ago words utc={read_utc} /> })}</span>
      {next(of)}
    </p>
  );
}

/** When a page is read again, while nothing else is said of it. */
function next(of: Figured) {
  if (!('next_read_utc' in of) || of.next_read_utc === null || of.state !== 'failed') return null;
  return <span>{t('next', { when: momentOf(new Date(of.next_read_utc)) })}</span>;
}

/** Why the last reading failed, and what the bot does meanwhile. */
export function SourceProblem({ of: { state, problem, passages } }: { of: Figured }) {
  if (state !== 'failed' || problem === null) return null;
  return (
    <p className="wrap-anywhere mt-0.5 flex gap-1.5 text-danger-text text-sm">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {t(`problem_${problem}`)} {passages > 0 ? t('keeps_old') : null}
      </span>
    </p>
  );
}
