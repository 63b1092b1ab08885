import { type EvaluationOutcome, type OutputOf, QUESTION_FILE_MAX_BYTES } from '@foyer/protocol';
import type { Command } from 'commander';
import { answers, table } from './answer.ts';
import { readText } from './input-text.ts';
import { siteOption } from './option-values.ts';
import { withWorkplace } from './workplace.ts';

type Tried = OutputOf<'evaluations.try'>;

const OUTCOME_WORDS: Readonly<Record<EvaluationOutcome, string>> = {
  right: 'right',
  wrong: 'wrong answer',
  silent: 'missed answer',
  handed_off: 'unexpected handoff',
  void: 'no such article',
};

const QUESTION_WIDTH = 60;
const cut = (text: string): string =>
  text.length <= QUESTION_WIDTH ? text : `${text.slice(0, QUESTION_WIDTH - 1)}…`;

const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, count) => all + count, 0);

function figures({ tally }: Tried): string {
  const { article, unknown, handoff } = tally;
  const answerable = sum(article);
  return table(
    ['', ''],
    [
      ['right answers', share(article.right, answerable)],
      ['wrong answers', share(article.wrong, answerable)],
      ['missed answers', share(article.silent, answerable)],
      ['unexpected handoffs', share(article.handed_off, answerable)],
      ['unknown, not answered', share(unknown.right, sum(unknown))],
      ['unknown, but answered', share(unknown.wrong, sum(unknown))],
      ...(sum(handoff) > 0 ? [['expected handoffs', share(handoff.right, sum(handoff))]] : []),
    ],
  ).trim();
}

/** Every question with an unexpected result, with the answer and the bot's confidence. */
function faults({ results }: Tried): string[] {
  const rows = results
    .filter(({ outcome }) => outcome !== 'right')
    .map(({ question, expects, expected_title, outcome, article, kind, confidence }) => [
      OUTCOME_WORDS[outcome],
      cut(question),
      cut(expected_title ?? expects),
      cut(article?.title ?? kind),
      confidence === null ? '' : confidence.toFixed(2),
    ]);
  return rows.length === 0
    ? []
    : ['', table(['outcome', 'question', 'expected', 'actual', 'confidence'], rows)];
}

function report(tried: Tried): string {
  const bad = tried.failed.map(({ line, message }) => `line ${line}: ${message}`);
  return [...bad, ...(bad.length > 0 ? [''] : []), figures(tried), ...faults(tried)].join('\n');
}

/** Adds `bot eval`. It stores nothing, and fails only if it could ask no question. */
export function addBotCommands(foyer: Command): void {
  const bot = foyer.command('bot').description('the bot that answers visitors');

  answers<{ site: number }>(
    bot
      .command('eval')
      .description('evaluate the bot with the questions in a file')
      .addOption(siteOption())
      .argument('<file>', 'CSV or JSON Lines with "question" and "expected"; - reads stdin'),
    async ({ site }, file = '-') => {
      const text = await readText(file, QUESTION_FILE_MAX_BYTES);
      return withWorkplace(async ({ run }) => {
        const data = (await run(site, 'evaluations.try', { text })) as Tried;
        return { data, words: report(data), failed: data.results.length === 0 };
      });
    },
  );
}
