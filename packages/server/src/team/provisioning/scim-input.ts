import { EMAIL_MAX, NAME_MAX, storable } from '@foyer/protocol';
import { z } from 'zod';
import { ScimProblem } from './scim-problem.ts';

type Json = Record<string, unknown>;

/** What Foyer stores. Providers send much more, such as phone numbers and departments, which is dropped. */
const ATTRIBUTES = {
  Users: ['userName', 'externalId', 'displayName', 'name', 'active'],
  Groups: ['displayName', 'externalId', 'members'],
} as const;
export type ResourceKind = keyof typeof ATTRIBUTES;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of an attribute as Foyer writes it; undefined if it isn't stored. Case makes no difference (RFC 7643, 2.1). */
const known = (kind: ResourceKind, name: string): string | undefined =>
  ATTRIBUTES[kind].find((one) => one.toLowerCase() === name.toLowerCase());

/** Microsoft sends `"False"` for false. */
function plainBoolean(value: unknown): unknown {
  if (typeof value !== 'string' || !/^(true|false)$/i.test(value)) return value;
  return value.toLowerCase() === 'true';
}

function pick(kind: ResourceKind, given: Json): Json {
  const picked: Json = {};
  for (const [key, value] of Object.entries(given)) {
    // Okta and Microsoft send paths as keys of a value: `name.givenName`.
    const [head = '', ...rest] = key.split('.');
    const name = known(kind, head);
    if (name === undefined) continue;
    const path = [name, ...rest].join('.');
    picked[path] = path === 'active' ? plainBoolean(value) : value;
  }
  return picked;
}

/** A resource without what Foyer doesn't store. @throws ScimProblem 400 */
export function resourceIn(kind: ResourceKind, body: unknown, schema: string): Json {
  if (!isObject(body)) throw new ScimProblem(400, 'invalidSyntax', 'The body must be a JSON object.');
  return { schemas: [schema], ...pick(kind, body) };
}

/** The attribute that a path begins with: of `members[value eq "1"]`, `name.givenName`, `urn:…:User:active`. */
function attributeOf(path: string): string {
  const [beforeFilter = ''] = path.split('[', 1);
  return beforeFilter.slice(beforeFilter.lastIndexOf(':') + 1).split('.', 1)[0] ?? '';
}

const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype).map((name) => name.toLowerCase()));

/**
 * For filters and paths: scimmy writes their names into plain objects, so `__proto__.x eq "1"` would give every object
 * of the process an `x`, and `toString.call eq "1"` break it. In an address such as constructor@example.com it is no
 * name.
 * @throws ScimProblem 400
 */
export function assertNoInheritedName(text: string, kind: 'invalidFilter' | 'invalidPath'): void {
  for (const [word] of text.matchAll(/[\w$-]+@?/g))
    if (INHERITED.has(word.toLowerCase())) throw new ScimProblem(400, kind, 'No attribute has this name.');
}

interface PatchOp {
  op: unknown;
  path?: string;
  value?: unknown;
}

function operationIn(kind: ResourceKind, given: unknown): PatchOp | undefined {
  if (!isObject(given)) throw new ScimProblem(400, 'invalidSyntax', 'An operation must be a JSON object.');
  const { op, path, value } = given;
  if (typeof path === 'string') {
    assertNoInheritedName(path, 'invalidPath');
    const name = known(kind, attributeOf(path));
    if (name === undefined) return undefined;
    return { op, path, ...('value' in given && { value: name === 'active' ? plainBoolean(value) : value }) };
  }
  if (!isObject(value)) return { op, value };
  const picked = pick(kind, value);
  return Object.keys(picked).length === 0 ? undefined : { op, value: nested(picked) };
}

/** `{"name.givenName": "Ada"}` as `{"name": {"givenName": "Ada"}}`. */
function nested(flat: Json): Json {
  const whole: Json = {};
  for (const [path, value] of Object.entries(flat)) {
    const [head = '', part] = path.split('.');
    const before = whole[head];
    whole[head] = part === undefined ? value : { ...(isObject(before) ? before : {}), [part]: value };
  }
  return whole;
}

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const OPERATIONS_MAX = 1_000;

/**
 * A PATCH without operations on what Foyer doesn't store.
 * @returns undefined if nothing is left
 * @throws ScimProblem 400
 */
export function patchIn(kind: ResourceKind, body: unknown): object | undefined {
  const operations = isObject(body) ? (body.Operations ?? body.operations) : undefined;
  if (!Array.isArray(operations) || operations.length > OPERATIONS_MAX)
    throw new ScimProblem(400, 'invalidSyntax', `Operations must be a list of at most ${OPERATIONS_MAX}.`);
  const kept = operations.map((one) => operationIn(kind, one)).filter((one) => one !== undefined);
  return kept.length === 0 ? undefined : { schemas: [PATCH_OP], Operations: kept };
}

const ID_MAX = 255;
const optional = (max: number) =>
  storable
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value || null);

const person = z.object({
  userName: storable.max(EMAIL_MAX),
  externalId: optional(ID_MAX),
  displayName: optional(NAME_MAX),
  name: z
    .object({ givenName: optional(NAME_MAX), familyName: optional(NAME_MAX), formatted: optional(NAME_MAX) })
    .nullish(),
  active: z.boolean().default(true),
});

const group = z.object({
  displayName: storable.trim().min(1).max(ID_MAX),
  externalId: optional(ID_MAX),
  members: z
    .array(z.object({ value: z.string().regex(/^[1-9]\d{0,14}$/) }))
    .max(10_000)
    .nullish(),
});

function checked<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ScimProblem(
    400,
    'invalidValue',
    `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is invalid'}`,
  );
}

/** @throws ScimProblem 400 */
export function personOf(resource: unknown) {
  const { userName, externalId, displayName, name, active } = checked(person, resource);
  return {
    userName,
    externalId,
    displayName: displayName ?? name?.formatted ?? null,
    givenName: name?.givenName ?? null,
    familyName: name?.familyName ?? null,
    active,
  };
}

/** @throws ScimProblem 400 */
export function groupOf(resource: unknown) {
  const { displayName, externalId, members } = checked(group, resource);
  return { displayName, externalId, members: (members ?? []).map(({ value }) => Number(value)) };
}
