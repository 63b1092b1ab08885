import type { ProcessingRecord } from '@foyer/protocol';

/** A value within a table of Markdown: names of a site come from people. */
const cell = (text: string): string => text.replace(/[\r\n]+/g, ' ').replace(/[\\|<>[\]*_`]/g, '\\$&');

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const daysOf = (days: number | null): string => (days === null ? 'for ever' : `${days} days`);

const keptFor = ({ kept }: ProcessingRecord['tables'][number]): string =>
  kept.length === 0
    ? 'with what it belongs to'
    : kept.map(({ kind, keep_days }) => `${kind.replaceAll('_', ' ')}: ${daysOf(keep_days)}`).join('; ');

/** The record as a document in Markdown. */
export function recordText({ site, tables, recipients }: ProcessingRecord, at: Date): string {
  return [
    `# Processing record of ${cell(site)}`,
    '',
    `As of ${at.toISOString()}. Personal data of visitors and customers in this site of Foyer, read from its database and settings.`,
    '',
    '## What is stored, why and how long',
    '',
    row(['Data', 'Purpose', 'Kept', 'Oldest', 'Table', 'Fields']),
    '|---|---|---|---|---|---|',
    ...tables.map((table) =>
      row([
        table.about,
        table.purpose,
        keptFor(table),
        `${table.oldest_utc?.slice(0, 10) ?? '–'}${table.overdue ? ', older than its retention' : ''}`,
        table.table,
        table.columns.join(', '),
      ]),
    ),
    '',
    '## Who gets personal data',
    '',
    ...(recipients.length === 0
      ? ['Nobody outside, by the settings of this site.']
      : [
          row(['Kind', 'Who', 'What']),
          '|---|---|---|',
          ...recipients.map(({ kind, name, gets }) => row([kind.replaceAll('_', ' '), name, gets])),
        ]),
    '',
    'The operator of the server may add recipients that no site knows: an email server, a language model, a Redis, a replica, backups and a reverse proxy.',
    '',
  ].join('\n');
}
