import type { OutputOf, ReportKept, ReportSpan } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '../../language.ts';
import { ChartFrame, FigureTable } from './charts/ChartFrame.tsx';
import { dayLong, percentOf } from './charts/figures.ts';
import { ReportBody } from './ReportBody.tsx';
import { slasQuery } from './report-queries.ts';
import { t } from './t.ts';

type Slas = OutputOf<'reports.slas'>;

const allOf = ({ met, missed }: ReportKept): number => met + missed;

/** `92 %`, of whatever was decided. */
const shareOf = (kept: ReportKept): string =>
  allOf(kept) === 0 ? '—' : t('percent', { percent: percentOf(kept.met, allOf(kept)) });

const cellsOf = (kept: ReportKept): string[] => [
  shareOf(kept),
  formatNumber(kept.met),
  formatNumber(kept.missed),
];

const headOf = (name: string): string[] => [name, t('column_kept'), t('column_met'), t('column_missed')];

/** Which share of the targets of SLAs was met. */
export function SlasReport({ span }: { span: ReportSpan }) {
  return (
    <ReportBody
      asked={useQuery(slasQuery(span))}
      empty={({ now }) =>
        allOf(now) === 0 ? { title: t('slas_none'), hint: t('slas_none_hint') } : undefined
      }
    >
      {(report) => (
        <>
          <ChartFrame
            title={t('slas_title')}
            summary={t('slas_summary', { share: shareOf(report.now), count: allOf(report.now) })}
            notes={allOf(report.earlier) === 0 ? [] : [t('slas_before', { share: shareOf(report.earlier) })]}
          >
            <FigureTable
              caption={t('slas_title')}
              table={{
                head: headOf(t('column_target')),
                rows: report.targets.map((one) => [t(`target_${one.target}`), ...cellsOf(one)]),
              }}
            />
          </ChartFrame>
          <ChartFrame title={t('slas_days')} summary={t('slas_days_of')}>
            <FigureTable
              caption={t('slas_days')}
              table={{
                head: headOf(t('day')),
                rows: report.days
                  .filter((one) => allOf(one) > 0)
                  .map((one) => [dayLong(one.day), ...cellsOf(one)]),
              }}
            />
          </ChartFrame>
          <KeptBy title={t('slas_policies')} none={t('slas_deleted')} rows={report.policies} />
          <KeptBy title={t('slas_teams')} none={t('no_team')} rows={report.teams} />
          <KeptBy title={t('slas_agents')} none={t('slas_nobody')} rows={report.agents} />
        </>
      )}
    </ReportBody>
  );
}

interface KeptByProps {
  title: string;
  /** The name of records without any. */
  none: string;
  rows: Slas['policies'];
}

function KeptBy({ title, none, rows }: KeptByProps) {
  const [most] = rows;
  const nameOf = ({ id, name }: Slas['policies'][number]): string =>
    name ?? (id === null ? none : t('slas_deleted'));
  return (
    <ChartFrame
      title={title}
      summary={most ? t('slas_most', { name: nameOf(most), share: shareOf(most) }) : ''}
    >
      <FigureTable
        caption={title}
        table={{ head: headOf(t('column_name')), rows: rows.map((one) => [nameOf(one), ...cellsOf(one)]) }}
      />
    </ChartFrame>
  );
}
