import type { KnowledgeSource } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText, Globe, Network, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { SourceFigures, SourceProblem, SourceState } from './SourceFigures.tsx';
import { isUnderWay } from './source-queries.ts';
import { t } from './t.ts';

const ICONS = { page: Globe, sitemap: Network, file: FileText } as const;
const NAME = cx(LINE, 'font-medium');

/** A source with its figures, and what can be done with it. */
export function SourceRow({ source, isAdmin }: { source: KnowledgeSource; isAdmin: boolean }) {
  const { kind, address, title, failed, documents, state, is_cut: isCut } = source;
  const name = kind === 'page' ? (title ?? address) : address;
  const Icon = ICONS[kind];
  return (
    <li className="flex min-h-14 items-start gap-2 py-2 ps-4 pe-2">
      <Icon aria-label={t(`kind_${kind}`)} className="mt-0.5 size-4 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <SourceName source={source} name={name} />
          <SourceState of={source} />
        </p>
        {name === address ? null : (
          <p dir="ltr" className="wrap-anywhere text-start text-soft text-xs">
            {address}
          </p>
        )}
        <SourceFigures of={source} pages={kind === 'sitemap' ? documents : undefined} />
        <SourceProblem of={source} />
        {kind === 'sitemap' && failed > 0 && state !== 'failed' ? (
          <p className="text-soft text-xs">{t('pages_failed', { count: failed })}</p>
        ) : null}
        {isCut ? <p className="text-soft text-xs">{t('pages_cut')}</p> : null}
      </div>
      {isAdmin ? <SourceActions source={source} name={name} /> : null}
    </li>
  );
}

/** Leads to the text of the only document, or to the pages of a sitemap. */
function SourceName({ source: { id, kind, document_id, documents }, name }: NamedSource) {
  const words = <bdi>{name}</bdi>;
  if (kind === 'sitemap')
    return (
      <Link
        to="/knowledge/sources/$sourceId"
        params={{ sourceId: String(id) }}
        className={cx(NAME, 'hover:underline')}
      >
        {words}
      </Link>
    );
  if (document_id === null || documents === 0) return <span className={NAME}>{words}</span>;
  return (
    <Link
      to="/knowledge/documents/$documentId"
      params={{ documentId: String(document_id) }}
      className={cx(NAME, 'hover:underline')}
    >
      {words}
    </Link>
  );
}

interface NamedSource {
  source: KnowledgeSource;
  name: string;
}

function SourceActions({ source, name }: NamedSource) {
  const { id, kind } = source;
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const known = (): Promise<void> => client.invalidateQueries({ queryKey: ['sources'] });
  const refresh = useMutation({
    mutationFn: () => call('knowledge_sources.refresh', { id }),
    onSuccess: known,
    onError: (error) => toast.error(t('refresh_failed', { name }), error),
  });
  return (
    <>
      {kind === 'file' ? null : (
        <IconButton
          label={t('refresh_named', { name })}
          busy={refresh.isPending}
          disabled={isUnderWay(source)}
          onClick={() => refresh.mutate()}
        >
          <RefreshCw aria-hidden className="size-4" />
        </IconButton>
      )}
      <IconButton label={t('delete_named', { name })} onClick={() => setDeleting(true)}>
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      <ConfirmAction
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('delete_question', { name })}
        action={t('delete')}
        run={() => call('knowledge_sources.delete', { id })}
        onDone={async () => {
          setDeleting(false);
          await known();
          toast.success(t('deleted', { name }));
        }}
      >
        {t('delete_hint')}
      </ConfirmAction>
    </>
  );
}
