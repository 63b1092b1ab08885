import type { ReportSpan } from '@foyer/protocol';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { call } from '../../api.ts';
import { saveFile } from '../../save-file.ts';
import { Button } from '../../ui/Button.tsx';
import { Page } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { AgentsReport } from './AgentsReport.tsx';
import { BotReport } from './BotReport.tsx';
import { FigureConversations } from './FigureConversations.tsx';
import { RangeFields } from './filters/RangeFields.tsx';
import { TeamField } from './filters/TeamField.tsx';
import { HoursReport } from './HoursReport.tsx';
import { ResponsesReport } from './ResponsesReport.tsx';
import { figureOf, REPORT_TABS, type ReportSearch, type ReportTab, spanOf } from './report-search.ts';
import { SatisfactionReport } from './SatisfactionReport.tsx';
import { SlasReport } from './SlasReport.tsx';
import { TagsReport } from './TagsReport.tsx';
import { TeamsReport } from './TeamsReport.tsx';
import { t } from './t.ts';
import { VolumeReport } from './VolumeReport.tsx';

/** Volume, response times, the bot, and satisfaction. */
export function ReportsScreen() {
  const search = useSearch({ from: '/desk/reports' });
  const { report = 'volume' } = search;
  const span = spanOf(search);
  const figure = figureOf(search);
  return (
    <Page
      wide
      place={`reports ${report}`}
      title={t('title')}
      actions={span ? <ExportButtons report={report} span={span} /> : null}
      tabs={<ReportTabs search={search} />}
      tools={
        <>
          <RangeFields search={search} />
          {report === 'teams' ? null : <TeamField team={search.of_team} />}
        </>
      }
    >
      {span ? <Report report={report} span={span} rating={search.rating} /> : null}
      {span && figure ? <FigureConversations figure={figure} span={span} /> : null}
    </Page>
  );
}

/** On phones not all tabs fit. */
const showTab = (tab: HTMLElement | null): void =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

function ReportTabs({ search }: { search: ReportSearch }) {
  const { report: open = 'volume' } = search;
  return (
    <nav aria-label={t('title')} className="flex gap-1 overflow-x-auto border-b">
      {REPORT_TABS.map((report) => (
        <Link
          key={report}
          to="/reports"
          search={({ rating: _, ...rest }) => ({ ...rest, report })}
          ref={report === open ? showTab : undefined}
          aria-current={report === open ? 'page' : undefined}
          className="-mb-px flex h-10 items-center whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-soft hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {t(`tab_${report}`)}
        </Link>
      ))}
    </nav>
  );
}

interface ReportProps {
  report: ReportTab;
  span: ReportSpan;
  rating: number | undefined;
}

function Report({ report, span, rating }: ReportProps) {
  switch (report) {
    case 'volume':
      return <VolumeReport span={span} />;
    case 'responses':
      return <ResponsesReport span={span} />;
    case 'hours':
      return <HoursReport span={span} />;
    case 'bot':
      return <BotReport span={span} />;
    case 'satisfaction':
      return <SatisfactionReport span={span} rating={rating} />;
    case 'teams':
      return <TeamsReport span={span} />;
    case 'agents':
      return <AgentsReport span={span} />;
    case 'tags':
      return <TagsReport span={span} />;
    case 'slas':
      return <SlasReport span={span} />;
  }
}

/** Downloads the report as a file; for satisfaction also the comments. */
function ExportButtons({ report, span }: { report: ReportTab; span: ReportSpan }) {
  const save = useMutation({
    mutationFn: (which: ReportTab | 'comments') => call('reports.export', { ...span, report: which }),
    onSuccess: ({ name, text }) => saveFile(name, text, 'text/csv'),
    onError: (error) => toast.error(t('export_failed'), error),
  });
  return (
    <>
      {report === 'satisfaction' ? (
        <Button
          icon={<Download className="size-4" />}
          busy={save.isPending}
          onClick={() => save.mutate('comments')}
        >
          {t('export_comments')}
        </Button>
      ) : null}
      <Button
        icon={<Download className="size-4" />}
        busy={save.isPending}
        onClick={() => save.mutate(report)}
      >
        {t('export')}
      </Button>
    </>
  );
}
