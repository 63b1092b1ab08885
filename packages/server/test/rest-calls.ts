import type { AnyOperation } from '../src/core/operation.ts';
import type { Answer, TestApp, TestSite } from './app.ts';
import { examples, isRecordKind, makeRecord } from './examples.ts';

/** A valid input of the operation, each named record replaced by one of `owner`. */
export async function inputOf(
  app: TestApp,
  { name, records = {} }: AnyOperation,
  owner: TestSite,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = { ...examples[name]() };
  for (const [field, kind] of Object.entries(records)) {
    if (!isRecordKind(kind)) throw new Error(`test/examples.ts makes no ${kind}`);
    input[field] = await makeRecord[kind](app, owner);
  }
  return input;
}

/** Calls an operation over REST, with its input in query and body as its route defines. */
export function callRest(
  app: TestApp,
  { rest }: AnyOperation,
  token: string | undefined,
  input: Record<string, unknown>,
): Promise<Answer> {
  if (!rest) throw new Error('not a REST operation');
  const inQuery = rest.method === 'GET' || rest.method === 'DELETE' ? Object.keys(input) : (rest.query ?? []);
  const query = new URLSearchParams({ resource: rest.resource });
  for (const field of inQuery) query.set(field, String(input[field]));
  const body = Object.fromEntries(Object.entries(input).filter(([field]) => !inQuery.includes(field)));
  const hasBody = rest.method === 'POST' || rest.method === 'PATCH';
  return app.rest(token, rest.method, `/v1/api.ashx?${query}`, hasBody ? body : undefined);
}
