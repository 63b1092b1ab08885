import {
  type OutputOf,
  type ParsedInputOf,
  TRAINING_ANSWER_MAX,
  TRAINING_IMPORT_MAX_BYTES,
  TRAINING_QUESTION_MAX,
  type TrainingRow,
} from '@foyer/protocol';
import { type Selectable, sql } from 'kysely';
import { csvRecords } from '../../base/csv.ts';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { SiteRecords } from '../../core/site-records.ts';
import { contains, idPage, type Page } from '../../db/keyset.ts';
import type { Tables } from '../../db/tables.generated.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { titleKey } from '../transfer/import-text.ts';

const trainingRows = new SiteRecords('training_rows', 'training row', {
  conflict: () =>
    new AppError('conflict', 'A training row with this question already exists.', {
      reason: 'question_twice',
    }),
});

type Row = Selectable<Tables['training_rows']>;

const present = (row: Row): TrainingRow => ({
  id: row.id,
  question: row.question,
  answer: row.answer,
  moved_utc: row.moved_at?.toISOString() ?? null,
  article_id: row.article_id,
  updated_utc: row.updated_at.toISOString(),
});

/** Newest first. */
export function listTrainingRows(
  { db, site }: SiteContext,
  input: ParsedInputOf<'training_rows.list'>,
): Promise<Page<TrainingRow>> {
  const { q, moved } = input;
  let query = db.selectFrom('training_rows').selectAll().where('site_id', '=', site.id);
  if (moved !== undefined) query = query.where('moved_at', moved ? 'is not' : 'is', null);
  if (q !== undefined) query = query.where(contains(['question', 'answer'], q));
  return idPage(query, input, present);
}

const textOf = async (tx: SiteContext, question: string, answer: string) => ({
  question,
  question_key: titleKey(question),
  answer,
  version: await nextVersion(tx),
  updated_at: tx.now(),
});

/** @throws AppError 409 if there is one with this question. */
export function createTrainingRow(
  ctx: SiteContext,
  { question, answer }: ParsedInputOf<'training_rows.create'>,
): Promise<TrainingRow> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const values = { ...(await textOf(tx, question, answer)), created_at: tx.now() };
    return present(await trainingRows.insert(tx, values));
  });
}

/** @throws AppError 404; 409 for a row that was moved, and if there is one with this question. */
export function updateTrainingRow(
  ctx: SiteContext,
  input: ParsedInputOf<'training_rows.update'>,
): Promise<TrainingRow> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = await trainingRows.get(tx, input.id);
    if (before.moved_at)
      throw new AppError('conflict', 'This row is now an article. Edit the article instead.', {
        reason: 'training_is_article',
      });
    const { question = before.question, answer = before.answer } = input;
    return present(await trainingRows.update(tx, input.id, await textOf(tx, question, answer)));
  });
}

/** The article of a moved row stays. @throws AppError 404 */
export function deleteTrainingRow(ctx: SiteContext, id: number): Promise<OutputOf<'training_rows.delete'>> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const gone = await trainingRows.delete(tx, id);
    await nextVersion(tx);
    return gone;
  });
}

type Imported = OutputOf<'training_rows.import'>;

interface Pair {
  readonly line: number;
  readonly question: string;
  readonly answer: string;
  readonly key: string;
}

const HEADINGS = { question: /^(?:questions?|prompt|q)$/i, answer: /^(?:answers?|response|completion|a)$/i };

/** The columns of question and answer, by the first record if it names them; else they are the first two. */
function columnsOf(cells: readonly string[]): { question: number; answer: number } | undefined {
  const find = (pattern: RegExp): number => cells.findIndex((cell) => pattern.test(cell.trim()));
  const [question, answer] = [find(HEADINGS.question), find(HEADINGS.answer)];
  return question >= 0 && answer >= 0 ? { question, answer } : undefined;
}

function faultOf(question: string, answer: string): string | undefined {
  if (question === '') return 'has no question';
  if (answer === '') return 'has no answer';
  if (question.length > TRAINING_QUESTION_MAX)
    return `the question is longer than ${TRAINING_QUESTION_MAX} characters`;
  if (answer.length > TRAINING_ANSWER_MAX)
    return `the answer is longer than ${TRAINING_ANSWER_MAX} characters`;
  const both = question + answer;
  return both.includes('\0') || !both.isWellFormed() ? 'contains invalid characters' : undefined;
}

/** The pairs of a CSV text; cells are text, whatever a spreadsheet would make of them. */
export function parseTraining(text: string): { pairs: Pair[]; failed: Imported['failed'] } {
  const pairs = new Map<string, Pair>();
  const failed: Imported['failed'] = [];
  let columns: { question: number; answer: number } | undefined;
  for (const { line, cells, fault } of csvRecords(text)) {
    if (!columns) {
      const named = columnsOf(cells);
      columns = named ?? { question: 0, answer: 1 };
      if (named) continue;
    }
    const question = (cells[columns.question] ?? '').trim();
    const answer = (cells[columns.answer] ?? '').trim();
    const key = titleKey(question);
    const twin = pairs.get(key);
    const message =
      fault ??
      faultOf(question, answer) ??
      (twin && twin.answer !== answer
        ? `repeats the question of line ${twin.line} with another answer`
        : undefined);
    if (message !== undefined) failed.push({ line, message });
    else if (!twin) pairs.set(key, { line, question, answer, key });
  }
  return { pairs: [...pairs.values()], failed };
}

/** Rows per statement. */
const CHUNK_ROWS = 2_000;

/** The result of one record of the text. */
interface Outcome {
  readonly key: string;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'moved';
}

async function importChunk(tx: SiteContext, pairs: readonly Pair[], version: number): Promise<Outcome[]> {
  const given = JSON.stringify(pairs.map(({ question, answer, key }) => ({ question, answer, key })));
  const { rows } = await sql<Outcome>`
    with given as (select * from json_to_recordset(${given}::json) as g (question text, answer text, key text)),
    there as (
      select g.*, t.id, t.answer as had, t.moved_at from given g
      left join training_rows t on t.site_id = ${tx.site.id} and t.question_key = g.key),
    made as (
      insert into training_rows (site_id, question, question_key, answer, version, created_at, updated_at)
      select ${tx.site.id}, question, key, answer, ${version}, ${tx.now()}, ${tx.now()} from there where id is null),
    changed as (
      update training_rows t set question = h.question, answer = h.answer, version = ${version}, updated_at = ${tx.now()}
      from there h where t.site_id = ${tx.site.id} and t.id = h.id and h.moved_at is null and h.had <> h.answer)
    select key, case when id is null then 'created' when had = answer then 'unchanged'
      when moved_at is not null then 'moved' else 'updated' end as outcome
    from there`.execute(tx.db);
  return rows;
}

/**
 * Imports a CSV text in one transaction: records with errors are reported by their line, and the others are imported.
 * The same text again changes nothing.
 * @throws AppError 413 over 5 MiB.
 */
export async function importTraining(ctx: SiteContext, text: string): Promise<Imported> {
  if (Buffer.byteLength(text) > TRAINING_IMPORT_MAX_BYTES)
    throw new AppError('payload_too_large', 'The text is larger than 5 MiB. Import it in parts.', {
      reason: 'upload_large',
      values: { megabytes: 5 },
    });
  const { pairs, failed } = parseTraining(text);
  const lines = new Map(pairs.map(({ key, line }) => [key, line]));
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const version = await nextVersion(tx);
    const counts = { created: 0, updated: 0, unchanged: 0 };
    for (let at = 0; at < pairs.length; at += CHUNK_ROWS)
      for (const { key, outcome } of await importChunk(tx, pairs.slice(at, at + CHUNK_ROWS), version)) {
        if (outcome !== 'moved') counts[outcome] += 1;
        else
          failed.push({
            line: lines.get(key) ?? 0,
            message: 'this question is now an article: edit the article instead',
          });
      }
    return { ...counts, failed: failed.sort((one, other) => one.line - other.line) };
  });
}
