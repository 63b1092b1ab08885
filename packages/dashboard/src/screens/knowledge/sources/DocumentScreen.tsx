import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Scissors } from 'lucide-react';
import { Markdown } from '../../../markdown/Markdown.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { SourceFigures, SourceProblem, SourceState } from './SourceFigures.tsx';
import { documentQuery } from './source-queries.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/knowledge/documents/$documentId');

/** A document as the bot reads it. */
export function DocumentScreen() {
  const { documentId } = route.useParams();
  const { data, error, refetch } = useQuery(documentQuery(Number(documentId)));
  return (
    <Page
      place={`document ${documentId}`}
      title={data?.title ?? t('document')}
      back={{ to: '/knowledge/sources', label: t('title') }}
    >
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('document_failed')} height="h-96" />
      ) : (
        <>
          <p className="wrap-anywhere mb-1 flex items-center gap-2 text-soft">
            {data.url === null ? (
              <bdi>{data.address}</bdi>
            ) : (
              <a
                href={data.url}
                target="_blank"
                rel="noopener noreferrer"
                dir="ltr"
                className="text-accent-text underline underline-offset-2"
              >
                {data.url}
              </a>
            )}
            <SourceState of={data} />
          </p>
          <SourceFigures of={data} />
          <SourceProblem of={data} />
          {data.is_cut ? (
            <div className="mt-4">
              <Callout tone="warn" icon={<Scissors aria-hidden />}>
                {t('cut')}
              </Callout>
            </div>
          ) : null}
          <Section title={t('text')}>
            {data.body === '' ? (
              <p className="text-soft">{t('no_text_yet')}</p>
            ) : (
              <div dir="auto" className="wrap-anywhere rounded-lg border px-5 py-4">
                <Markdown text={data.body} />
              </div>
            )}
          </Section>
        </>
      )}
    </Page>
  );
}
