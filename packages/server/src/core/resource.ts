import type { AuditSubject, OperationName, OutputOf, ParsedInputOf } from '@foyer/protocol';
import type { SiteContext } from './context.ts';
import type { AnyOperation, McpTool, Who } from './operation.ts';

const VERBS = {
  list: { scope: 'read', rest: { method: 'GET' }, tool: {} },
  create: { scope: 'write', rest: { method: 'POST', creates: true }, tool: {} },
  update: { scope: 'write', rest: { method: 'PATCH', query: ['id'] }, tool: { idempotent: true } },
  delete: { scope: 'write', rest: { method: 'DELETE' }, tool: { destructive: true } },
} as const;
type Verb = keyof typeof VERBS;

/** Resources whose records the contract can list, create, update and delete. */
type ResourceName = {
  [N in OperationName]: N extends `${infer R}.create`
    ? `${R}.${Verb}` extends OperationName
      ? R
      : never
    : never;
}[OperationName];

/** One of the four operations. Everything else follows from the resource. */
interface Part<N extends OperationName> {
  summary: string;
  /** By default the resource's `who`, or `writers`. */
  who?: readonly Who[];
  /** For update and delete: `{ id: record }`, see `Operation`. */
  records?: Readonly<Record<string, string>>;
  /** Its description for a language model. By default the tool is named after the resource: `update_macro`. */
  tool?: string | McpTool;
  /** See `Operation`. */
  mayLag?(input: ParsedInputOf<N>): boolean;
  run(ctx: SiteContext, input: ParsedInputOf<N>): Promise<OutputOf<N>>;
}

interface Resource<R extends ResourceName> {
  name: R;
  /** The singular: `saved_view`. */
  record: string;
  who: readonly Who[];
  /** Who may create, update and delete, if that differs from who may read. */
  writers?: readonly Who[];
  /** The subject under which the audit log records creating, updating and deleting. */
  audit?: AuditSubject;
  list: Part<`${R}.list`>;
  create: Part<`${R}.create`>;
  update: Part<`${R}.update`>;
  delete: Part<`${R}.delete`>;
}

function toolOf(verb: Verb, resource: string, record: string, tool: string | McpTool): McpTool {
  if (typeof tool !== 'string') return tool;
  const name = verb === 'list' ? `list_${resource}` : `${verb}_${record}`;
  return { name, description: tool, ...VERBS[verb].tool };
}

/** The four operations of a resource. Those open to tokens are REST methods too. */
export function resourceOperations<R extends ResourceName>(resource: Resource<R>): AnyOperation[] {
  const { name, record, audit } = resource;
  const { who: readers, writers = readers } = resource;
  const operationOf = <V extends Verb>(verb: V, part: Part<`${R}.${V}`>): AnyOperation => {
    const { scope, rest } = VERBS[verb];
    const { tool, who = scope === 'read' ? readers : writers, ...own } = part;
    return {
      name: `${name}.${verb}` as const,
      who,
      scope,
      ...(who.includes('token') && { rest: { resource: name, ...rest } }),
      ...(audit && scope === 'write' && { audit }),
      ...((verb === 'update' || verb === 'delete') && { records: { id: record } }),
      ...(tool !== undefined && { tool: toolOf(verb, name, record, tool) }),
      ...own,
    };
  };
  return [
    operationOf('list', resource.list),
    operationOf('create', resource.create),
    operationOf('update', resource.update),
    operationOf('delete', resource.delete),
  ];
}
