import { storable } from '@foyer/protocol';
import type SCIMMY from 'scimmy';
import type { SiteContext } from '../../core/context.ts';
import { scimUrl } from '../../sites/single-sign-on/addresses.ts';
import type { ProviderRow } from '../../sites/single-sign-on/providers.ts';
import type { ProvisionedPerson } from '../../sites/single-sign-on/provisioned.ts';
import { lockSite } from '../../sites/sites.ts';
import { deleteGroup, getGroup, listGroups, type ProvisionedGroup, saveGroup } from './groups.ts';
import { changePerson, createPerson, deletePerson, getPerson, listPeople, nameOf } from './people.ts';
import {
  assertNoInheritedName,
  groupOf,
  patchIn,
  personOf,
  type ResourceKind,
  resourceIn,
} from './scim-input.ts';
import { ScimProblem } from './scim-problem.ts';

type Scim = typeof SCIMMY;

/** Loaded with the first request: few installations have one. */
const scim = async (): Promise<Scim> => (await import('scimmy')).default;

const PAGE = 100;
const PAGE_MAX = 500;
const FILTER_MAX = 1_000;

/** The parameters of a list, unparsed from the query. */
export interface ListQuery {
  filter?: string | undefined;
  startIndex?: number | undefined;
  count?: number | undefined;
  /** Microsoft requests groups without their members. */
  excludedAttributes?: string | undefined;
}

/** The resources of one kind, as a provider reads and writes them. */
export interface ScimResources {
  list(ctx: SiteContext, provider: ProviderRow, query: ListQuery): Promise<object>;
  get(ctx: SiteContext, provider: ProviderRow, id: number): Promise<object>;
  /** @param id undefined: a new one */
  put(ctx: SiteContext, provider: ProviderRow, id: number | undefined, body: unknown): Promise<object>;
  patch(ctx: SiteContext, provider: ProviderRow, id: number, body: unknown): Promise<object>;
  delete(ctx: SiteContext, provider: ProviderRow, id: number): Promise<void>;
}

interface Kind<Row> {
  kind: ResourceKind;
  /** The filters by which providers look for one; others are applied to everything. */
  keys: readonly string[];
  list(ctx: SiteContext, provider: ProviderRow, by: Record<string, string>): Promise<Row[]>;
  get(ctx: SiteContext, provider: ProviderRow, id: number): Promise<Row>;
  save(tx: SiteContext, provider: ProviderRow, id: number | undefined, given: unknown): Promise<Row>;
  delete(tx: SiteContext, provider: ProviderRow, id: number): Promise<void>;
  /** A row in the form of the protocol. */
  plain(row: Row): object;
  schema(
    scim: Scim,
  ): new (
    resource: object,
    direction?: string,
    basepath?: string,
  ) => InstanceType<Scim['Types']['Schema']>;
}

const people: Kind<ProvisionedPerson> = {
  kind: 'Users',
  keys: ['userName', 'externalId'],
  list: listPeople,
  get: getPerson,
  save: (tx, provider, id, given) =>
    id === undefined
      ? createPerson(tx, provider, personOf(given))
      : changePerson(tx, provider, id, personOf(given)),
  delete: deletePerson,
  plain: (row) => ({
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name,
    displayName: row.display_name ?? nameOf(row),
    name: {
      formatted: nameOf(row),
      ...(row.given_name !== null && { givenName: row.given_name }),
      ...(row.family_name !== null && { familyName: row.family_name }),
    },
    emails: [{ value: row.user_name, type: 'work', primary: true }],
    active: row.is_active,
    meta: { created: row.created_at, lastModified: row.updated_at },
  }),
  schema: ({ Schemas }) => Schemas.User,
};

const groups: Kind<ProvisionedGroup> = {
  kind: 'Groups',
  keys: ['displayName', 'externalId'],
  list: listGroups,
  get: getGroup,
  save: (tx, provider, id, given) => saveGroup(tx, provider, id, groupOf(given)),
  delete: deleteGroup,
  plain: (row) => ({
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.name,
    members: row.members.map(({ id, userName }) => ({ value: String(id), display: userName, type: 'User' })),
    meta: { created: row.created_at, lastModified: row.updated_at },
  }),
  schema: ({ Schemas }) => Schemas.Group,
};

/** The value of a filter such as `userName eq "ada@example.com"`, by the key; undefined for any other filter. */
function lookedUp(filter: Filter, keys: readonly string[]) {
  const [first, ...others] = [...filter] as Record<string, unknown>[];
  const [[name, condition] = [], ...more] = Object.entries(first ?? {});
  const key = keys.find((one) => one.toLowerCase() === name?.toLowerCase());
  if (key === undefined || others.length > 0 || more.length > 0 || !Array.isArray(condition))
    return undefined;
  const [comparator, value] = condition;
  if (comparator !== 'eq' || typeof value !== 'string') return undefined;
  return { [key]: value };
}

type Filter = InstanceType<Scim['Types']['Filter']>;

/** @throws ScimProblem 400 */
function filterOf({ Types }: Scim, text: string): Filter {
  if (text.length > FILTER_MAX || !storable.safeParse(text).success)
    throw new ScimProblem(400, 'invalidFilter', `A filter has at most ${FILTER_MAX} characters, and no NUL.`);
  assertNoInheritedName(text, 'invalidFilter');
  return orInvalidFilter(() => new Types.Filter(text));
}

/** @throws ScimProblem 400 */
const matchOf = (filter: Filter, found: object[]): object[] =>
  orInvalidFilter(() => filter.match(found) as object[]);

/** The library fails with a TypeError at filters that it has accepted, such as `name eq "a" and name.b eq "c"`. */
function orInvalidFilter<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ScimProblem(400, 'invalidFilter', 'This filter isn’t supported.');
  }
}

/** A page of a list, as the protocol has it. */
const listOf = (resources: readonly object[], { total = resources.length, from = 1 } = {}) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: from,
  itemsPerPage: resources.length,
  Resources: resources,
});

function resourcesOf<Row>(kind: Kind<Row>): ScimResources {
  const shown = async (
    { services }: SiteContext,
    row: object,
  ): Promise<InstanceType<Scim['Types']['Schema']>> => {
    const Schema = kind.schema(await scim());
    return new Schema(row, 'out', `${scimUrl(services.address.url)}/${kind.kind}`);
  };
  return {
    async list(ctx, provider, { filter: text, startIndex = 1, count = PAGE, excludedAttributes = '' }) {
      const filter = text === undefined ? undefined : filterOf(await scim(), text);
      const by = filter && lookedUp(filter, kind.keys);
      const found = (await kind.list(ctx, provider, by ?? {})).map(kind.plain);
      const matching = filter && !by ? matchOf(filter, found) : found;
      const from = Math.max(1, startIndex);
      const page = matching.slice(from - 1, from - 1 + Math.min(Math.max(0, count), PAGE_MAX));
      const hidden = new Set(excludedAttributes.split(',').map((name) => name.trim()));
      const bare = page.map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name))),
      );
      const resources = await Promise.all(bare.map((row) => shown(ctx, row)));
      return listOf(resources, { total: matching.length, from });
    },
    get: async (ctx, provider, id) => shown(ctx, kind.plain(await kind.get(ctx, provider, id))),
    put: (ctx, provider, id, body) =>
      ctx.transaction(async (tx) => {
        await lockSite(tx);
        const { id: schema } = kind.schema(await scim()) as unknown as { id: string };
        const given = resourceIn(kind.kind, body, schema);
        return shown(tx, kind.plain(await kind.save(tx, provider, id, given)));
      }),
    // Two changes of the same group at once must not undo each other.
    patch: (ctx, provider, id, body) =>
      ctx.transaction(async (tx) => {
        await lockSite(tx);
        const before = await kind.get(tx, provider, id);
        const patch = patchIn(kind.kind, body);
        if (patch === undefined) return shown(tx, kind.plain(before));
        const { Messages } = await scim();
        const message = new Messages.PatchOp(patch as ConstructorParameters<typeof Messages.PatchOp>[0]);
        const changed = await message.apply(await shown(tx, kind.plain(before)));
        if (!changed) return shown(tx, kind.plain(before));
        return shown(tx, kind.plain(await kind.save(tx, provider, id, { ...changed })));
      }),
    delete: (ctx, provider, id) =>
      ctx.transaction(async (tx) => {
        await lockSite(tx);
        await kind.delete(tx, provider, id);
      }),
  };
}

/** By their path. */
export const scimResources: Readonly<Record<ResourceKind, ScimResources>> = {
  Users: resourcesOf(people),
  Groups: resourcesOf(groups),
};

/** The description of this server for providers: what it supports, and the schemas. */
export async function scimAbout(baseUrl: string): Promise<Record<'config' | 'types' | 'schemas', object>> {
  const { Schemas } = await scim();
  const url = scimUrl(baseUrl);
  const core = [Schemas.User, Schemas.Group];
  const typeOf = (name: string, path: string, schema: string) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${path}`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${url}/ResourceTypes/${name}` },
  });
  return {
    config: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: PAGE_MAX },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [
        { type: 'oauthbearertoken', name: 'Token', description: 'The SCIM token of the identity provider' },
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: `${url}/ServiceProviderConfig` },
    },
    types: listOf([typeOf('User', 'Users', Schemas.User.id), typeOf('Group', 'Groups', Schemas.Group.id)]),
    schemas: listOf(core.map((schema) => schema.definition.describe(`${url}/Schemas`))),
  };
}
