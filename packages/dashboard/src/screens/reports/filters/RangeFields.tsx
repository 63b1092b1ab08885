import { REPORT_DAYS_MAX, REPORT_RANGES } from '@foyer/protocol/values/report-names';
import { useNavigate } from '@tanstack/react-router';
import { useMe } from '../../../desk/DeskContext.tsx';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { type ReportSearch, spanOf } from '../report-search.ts';
import { t } from '../t.ts';
import { lastDays } from './last-days.ts';

/** The initial length of a custom period. */
const FIRST_DAYS = 14;

/** The period: one of the usual choices, or custom. */
export function RangeFields({ search }: { search: ReportSearch }) {
  const navigate = useNavigate({ from: '/reports' });
  // Days follow the calendar of the reports.
  const { site } = useMe();
  const zone = site.office_hours?.time_zone ?? site.time_zone;
  const { range = '30d', from = '', to = '' } = search;
  const change = (next: Partial<ReportSearch>): void => {
    void navigate({ search: { ...search, ...next }, replace: true });
  };
  const choose = (value: string): void => {
    const chosen = REPORT_RANGES.find((one) => one === value) ?? '30d';
    const { from: _, to: __, ...rest } = search;
    const dates = chosen === 'custom' ? lastDays(FIRST_DAYS, zone, Date.now()) : {};
    void navigate({ search: { ...rest, range: chosen, ...dates } });
  };
  return (
    <>
      <SelectField
        bare
        label={t('range')}
        frame="w-44"
        value={range}
        onChange={(event) => choose(event.target.value)}
        options={REPORT_RANGES.map((one) => ({ value: one, label: t(`range_${one}`) }))}
      />
      {range === 'custom' ? (
        <>
          <TextField
            bare
            type="date"
            label={t('from')}
            frame="w-40"
            value={from}
            onChange={(event) => change({ from: event.target.value })}
          />
          <TextField
            bare
            type="date"
            label={t('to')}
            frame="w-40"
            value={to}
            onChange={(event) => change({ to: event.target.value })}
          />
          {spanOf(search) ? null : (
            <p role="alert" className="basis-full text-danger-text">
              {t('dates_wrong', { days: REPORT_DAYS_MAX })}
            </p>
          )}
        </>
      ) : null}
    </>
  );
}
