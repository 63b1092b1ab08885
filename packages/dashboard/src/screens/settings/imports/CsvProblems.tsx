import type { DataImport, DeskIssue } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { inWords } from '../../../errors/refusals.ts';
import { datedName, saveParts } from '../../../save-parts.ts';
import { ExportButton } from '../../../ui/ExportButton.tsx';
import { Rows, Section } from '../../../ui/Page.tsx';
import { t } from './t.ts';

type Problem = DataImport['problems'][number];

const issueOf = ({ reason, values, ...issue }: Problem['issues'][number]): DeskIssue => ({
  ...issue,
  ...(reason ? { reason } : {}),
  ...(values ? { values } : {}),
});

async function wordsOf(problems: readonly Problem[]): Promise<string[]> {
  const said: string[] = [];
  for (const { issues } of problems) {
    const words = await inWords({ code: 'invalid_input', message: '', issues: issues.map(issueOf) });
    said.push(words.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '));
  }
  return said;
}

/** The skipped rows with their lines; all of them as a file to correct. */
export function CsvProblems({ one }: { one: DataImport }) {
  const { problems } = one;
  const { data: said = [] } = useQuery({
    queryKey: ['imports', one.id, 'problems', one.not_taken],
    queryFn: () => wordsOf(problems),
  });
  if (problems.length === 0) return null;
  return (
    <Section
      title={t('refused')}
      intro={t('problems_hint')}
      actions={
        <ExportButton
          label={t('problems_save')}
          failed={t('problems_not_saved')}
          save={() =>
            saveParts<number>(datedName('not-imported', 'csv'), 'text/csv', ({ after }) =>
              call('imports.problems', { id: one.id, ...(after === undefined ? {} : { after }) }),
            )
          }
        />
      }
    >
      <Rows label={t('refused')}>
        {problems.map(({ line }, at) => (
          <li key={line} className="flex flex-wrap gap-x-4 px-4 py-2">
            <span className="tabular w-24 shrink-0 text-soft">{t('line', { line })}</span>
            <span className="wrap-anywhere min-w-0 flex-1 basis-52">{said[at]}</span>
          </li>
        ))}
      </Rows>
    </Section>
  );
}
