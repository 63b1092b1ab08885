import { currentTracer, inSpan } from '../base/spans.ts';

/** Statements are recorded without values, which are parameters. Very long ones are cut. */
const TEXT_MAX = 2_000;

const textOf = (query: unknown): { text?: string | undefined; name?: string | undefined } =>
  typeof query === 'string' ? { text: query } : typeof query === 'object' && query !== null ? query : {};

/** The first word, past comments. */
function wordOf(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith('/*') && rest.includes('*/')) rest = rest.slice(rest.indexOf('*/') + 2).trimStart();
  return /^\w{1,30}/.exec(rest)?.[0].toUpperCase() ?? 'statement';
}

/**
 * Makes each statement of a client's `query` a span, if it runs within one: statements outside of any span aren't
 * traced.
 */
export const traceStatements =
  (query: (...args: unknown[]) => unknown) =>
  (...args: unknown[]): unknown => {
    const { text, name } = textOf(args[0]);
    if (text === undefined || currentTracer()?.running() === undefined) return query(...args);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.query.text': text.trim().slice(0, TEXT_MAX),
      'foyer.prepared': name,
    };
    let answer: unknown;
    const traced = inSpan(`sql ${wordOf(text)}`, { kind: 'client', attributes }, async () => {
      answer = query(...args);
      return answer;
    });
    // A call with a callback returns nothing, and streams answer themselves.
    return answer instanceof Promise ? traced : answer;
  };
