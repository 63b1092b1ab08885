import { type BadLine, type Expectation, QUESTION_MAX, SET_QUESTIONS_MAX } from '@foyer/protocol';
import { csvRecords } from '../../base/csv.ts';
import { slugOf } from '../../knowledge/articles/slug.ts';

/** One line of a file: a question, and in the owner's words what should answer it. */
interface QuestionLine {
  readonly line: number;
  readonly question: string;
  readonly expected: string;
}

interface QuestionFile {
  readonly questions: readonly QuestionLine[];
  readonly failed: BadLine[];
}

const COLUMNS = new Map<string, 'question' | 'expected'>([
  ['question', 'question'],
  ['expected', 'expected'],
  ['article', 'expected'],
]);
/** With this many unreadable lines, the file is something else. */
const BAD_LINES_MAX = 100;

/**
 * Reads CSV with the columns `question` and `expected`, or JSON Lines with these fields, depending on how the first
 * line begins. Unreadable lines are reported, and the others are read.
 */
export function readQuestionFile(text: string): QuestionFile {
  const source = text.replace(/^\ufeff/, '');
  const file: QuestionFile & { questions: QuestionLine[] } = { questions: [], failed: [] };
  const lines = source.trimStart().startsWith('{') ? jsonLines(source) : csvLines(source);
  for (const read of lines) {
    if ('message' in read) file.failed.push(read);
    else if (file.questions.length === SET_QUESTIONS_MAX) {
      file.failed.push({ line: read.line, message: `exceeds the limit of ${SET_QUESTIONS_MAX} questions` });
      break;
    } else file.questions.push(read);
    if (file.failed.length === BAD_LINES_MAX) break;
  }
  return file;
}

type Read = QuestionLine | BadLine;

function* jsonLines(text: string): Generator<Read> {
  for (const [at, source] of text.split(/\r\n|\r|\n/).entries()) {
    if (source.trim() === '') continue;
    const line = at + 1;
    const value = parsed(source);
    if (value === undefined) yield { line, message: 'isn’t valid JSON' };
    else yield checked(line, value);
  }
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function checked(line: number, value: unknown): Read {
  if (typeof value !== 'object' || value === null) return { line, message: 'isn’t a JSON object' };
  const { question, expected } = value as Record<string, unknown>;
  const named = typeof expected === 'number' ? String(expected) : expected;
  if (typeof question !== 'string') return { line, message: 'has no question' };
  if (typeof named !== 'string') return { line, message: 'has no expected result' };
  return lineOf(line, question, named);
}

function* csvLines(text: string): Generator<Read> {
  let places: { question: number; expected: number } | undefined;
  for (const { line, cells, fault } of csvRecords(text)) {
    if (fault) yield { line, message: fault };
    else if (places) yield lineOf(line, cells[places.question] ?? '', cells[places.expected] ?? '');
    else {
      places = placesOf(cells);
      if (!places) {
        yield { line, message: 'must have the columns question and expected' };
        return;
      }
    }
  }
}

function placesOf(head: readonly string[]): { question: number; expected: number } | undefined {
  const names = head.map((cell) => COLUMNS.get(cell.trim().toLowerCase()));
  const [question, expected] = [names.indexOf('question'), names.indexOf('expected')];
  return question < 0 || expected < 0 ? undefined : { question, expected };
}

function lineOf(line: number, question: string, expected: string): Read {
  const asked = question.trim();
  const named = expected.trim();
  if (asked === '') return { line, message: 'has no question' };
  if (named === '') return { line, message: 'has no expected result' };
  if (asked.length > QUESTION_MAX)
    return { line, message: `has a question longer than ${QUESTION_MAX} characters` };
  if (!`${asked}${named}`.isWellFormed() || asked.includes('\0'))
    return { line, message: 'has invalid characters' };
  return { line, question: asked, expected: named };
}

export interface NamedArticle {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
}

export interface Meant {
  readonly expects: Expectation;
  readonly articleId: number | null;
}

/** The meaning of a file's `expected`: `unknown`, `handoff`, or an article by its id, its slug or its title. */
export function expectationReader(
  articles: readonly NamedArticle[],
): (expected: string) => Meant | undefined {
  const byName = new Map<string, number>();
  const ids = new Set(articles.map(({ id }) => id));
  // An article's own slug takes precedence over the one that its title would give.
  for (const { id, title } of articles) byName.set(slugOf(title), id);
  for (const { id, title } of articles) byName.set(title.trim().toLowerCase(), id);
  for (const { id, slug } of articles) byName.set(slug, id);
  return (expected) => {
    const named = expected.toLowerCase();
    if (named === 'unknown' || named === 'handoff') return { expects: named, articleId: null };
    const byId = /^\d{1,16}$/.test(named) && ids.has(Number(named)) ? Number(named) : undefined;
    const articleId = byId ?? byName.get(named);
    return articleId === undefined ? undefined : { expects: 'article', articleId };
  };
}
