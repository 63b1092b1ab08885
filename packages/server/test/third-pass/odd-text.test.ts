import { afterAll, beforeAll, expect, it } from 'vitest';
import { operations } from '../../src/registry.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { examples } from '../examples.ts';
import { inputFields } from '../input-fields.ts';

// Text that no database can store, in every field of every operation that takes text.

/** PostgreSQL stores no NUL, and no encoding has half of a pair. */
const ODD = 'a\0\ud800b';

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

/** Sets a text at a path, in every element of lists along it. */
function put(into: Json, path: string[], text: string, isList: boolean): void {
  if (Array.isArray(into)) for (const one of into) put(one, path, text, isList);
  if (typeof into !== 'object' || into === null || Array.isArray(into)) return;
  const [head = '', ...rest] = path;
  if (rest.length > 0) {
    into[head] ??= {};
    put(into[head], rest, text, isList);
  } else into[head] = isList ? [text] : text;
}

/** The inputs with one text replaced in each, including records with arbitrary keys. */
function* oneReplaced(value: Json, text: string): Generator<Json> {
  if (typeof value === 'string') yield text;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    for (const changed of oneReplaced(inner, text))
      yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
}

const callable = operations.filter(({ who }) => who.includes('agent') || who.includes('admin'));
it.each(callable.map(({ name }) => name))('%s has no fault of ours', async (name) => {
  const fields = inputFields(name).filter(({ types }) =>
    types.some((one) => /^(string|unknown)(\[\])?$/.test(one)),
  );
  const faults: string[] = [];
  for (const { path, types } of fields)
    for (const text of [ODD, '__proto__']) {
      const input = structuredClone(examples[name]()) as Json;
      put(input, path.split('.'), text, !types.includes('string'));
      const { status } = await app.desk(cookie, name, input);
      if (status >= 500) faults.push(`${path} ${JSON.stringify(text)} ${status}`);
    }
  for (const input of oneReplaced(examples[name](), ODD)) {
    const { status } = await app.desk(cookie, name, input);
    if (status >= 500) faults.push(`${JSON.stringify(input)} ${status}`);
  }
  for (const text of [ODD, '__proto__']) {
    const { status } = await app.desk(cookie, name, { ...(examples[name]() as object), [text]: text });
    if (status >= 500) faults.push(`key ${JSON.stringify(text)} ${status}`);
  }
  expect(faults).toEqual([]);
});
