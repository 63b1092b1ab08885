import type { ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../language.ts';
import { ChartFrame, FigureTable } from './charts/ChartFrame.tsx';
import { average } from './charts/figures.ts';
import { ReportBody } from './ReportBody.tsx';
import { tagsQuery } from './report-queries.ts';
import { t } from './t.ts';

/** How often each tag was given. */
export function TagsReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(tagsQuery(span))}
      empty={({ tags }) =>
        tags.length === 0 ? { title: t('tags_none'), hint: t('tags_none_hint') } : undefined
      }
    >
      {({ tags }) => {
        const title = t('tags_title');
        const [most] = tags;
        return (
          <ChartFrame
            title={title}
            summary={
              most
                ? t('tags_summary', {
                    name: most.tag.name,
                    chats: t('chats', { count: most.chats }),
                    tickets: t('tickets', { count: most.tickets }),
                  })
                : ''
            }
          >
            <FigureTable
              caption={title}
              table={{
                head: [
                  t('tag'),
                  t('series_chats'),
                  t('series_tickets'),
                  t('column_before'),
                  t('column_rating'),
                ],
                links: tags.map(({ tag }) => (
                  <Link
                    key={tag.id}
                    to="/inbox"
                    search={{ tag: tag.name }}
                    className="text-accent-text hover:underline"
                  >
                    <bdi>{tag.name}</bdi>
                  </Link>
                )),
                rows: tags.map((one) => [
                  one.tag.name,
                  formatNumber(one.chats),
                  formatNumber(one.tickets),
                  formatNumber(one.chats_earlier + one.tickets_earlier),
                  average(one.rated.average),
                ]),
              }}
            />
          </ChartFrame>
        );
      }}
    </ReportBody>
  );
}
