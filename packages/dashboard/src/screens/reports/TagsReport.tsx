import type { OutputOf, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartFrame, FigureTable } from './charts/ChartFrame.tsx';
import { average, daysIn } from './charts/figures.ts';
import { countLink, figureLink } from './FigureLink.tsx';
import { ReportBody } from './ReportBody.tsx';
import { tagsQuery } from './report-queries.ts';
import { t } from './t.ts';

type Tags = OutputOf<'reports.tags'>;

/** The name links to everything with the tag, the figures to what they count. */
function rowOf(one: Tags['tags'][number], before: Tags['before']): ReactNode[] {
  const of = String(one.tag.id);
  const past = { show: 'tags', of, day: before.from, days: daysIn(before) } as const;
  return [
    <Link key="tag" to="/inbox" search={{ tag: one.tag.name }} className="text-accent-text hover:underline">
      <bdi>{one.tag.name}</bdi>
    </Link>,
    countLink(one.chats, { show: 'chat_tags', of }),
    countLink(one.tickets, { show: 'ticket_tags', of }),
    countLink(one.chats_earlier + one.tickets_earlier, past),
    countLink(one.rated.count, { show: 'tag_ratings', of }, average(one.rated.average)),
  ];
}

/** How often each tag was given. */
export function TagsReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(tagsQuery(span))}
      empty={({ tags }) =>
        tags.length === 0 ? { title: t('tags_none'), hint: t('tags_none_hint') } : undefined
      }
    >
      {({ tags, before }) => {
        const title = t('tags_title');
        const [most] = tags;
        return (
          <ChartFrame
            title={title}
            summary={
              most
                ? t.rich('tags_summary', {
                    name: most.tag.name,
                    chats: figureLink(most.chats, t('chats', { count: most.chats }), {
                      show: 'chat_tags',
                      of: String(most.tag.id),
                    }),
                    tickets: figureLink(most.tickets, t('tickets', { count: most.tickets }), {
                      show: 'ticket_tags',
                      of: String(most.tag.id),
                    }),
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
                rows: tags.map((one) => rowOf(one, before)),
              }}
            />
          </ChartFrame>
        );
      }}
    </ReportBody>
  );
}
