import { contract } from '@foyer/protocol';
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Actor } from '../context.ts';
import type { AnyOperation, McpTool } from '../operation.ts';
import { mayRun, operations } from '../registry.ts';
import { DATA_NOTICE } from './mcp-result.ts';

/** How many records a list gives a model that names no `limit`: over REST it is 50 (decisions 2). */
export const MODEL_LIMIT = 20;

/** An operation as a tool: what `tools/list` says of it, and what the door needs to call it. */
export interface DeskTool {
  readonly operation: AnyOperation;
  readonly listed: Tool;
  /** A list whose `limit` may be left out. */
  readonly isList: boolean;
}

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** What only makes the list of tools longer: a time's pattern says no more than its format, and clients know the dialect. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return json;
}

const branchesOf = ({ anyOf, oneOf }: JsonSchema): JsonSchema[] =>
  (anyOf ?? oneOf ?? []).filter((branch) => typeof branch === 'object');

/** Each field with all that it may be in any branch. */
function mergeProperties(branches: readonly JsonSchema[]): Record<string, JsonSchema> {
  const kinds = new Map<string, JsonSchema[]>();
  for (const [field, schema] of branches.flatMap(({ properties }) => Object.entries(properties ?? {}))) {
    if (typeof schema === 'boolean') continue;
    const known = kinds.get(field) ?? [];
    const isKnown = known.some((one) => JSON.stringify(one) === JSON.stringify(schema));
    kinds.set(field, isKnown ? known : [...known, schema]);
  }
  return Object.fromEntries(
    [...kinds].map(([field, schemas]) => {
      const [only] = schemas;
      return [field, only && schemas.length === 1 ? only : { anyOf: schemas }];
    }),
  );
}

/**
 * Models' providers refuse a tool whose input is a choice at its root, so that one that is (by an `action`, say) is
 * shown as one object with the fields of all; which of them go together the operation's own schema decides.
 */
function withoutRootChoice(schema: JsonSchema): JsonSchema {
  const branches = branchesOf(schema);
  if (branches.length === 0) return schema;
  const required = branches
    .map((branch) => branch.required ?? [])
    .reduce((all, one) => all.filter((field) => one.includes(field)));
  return { type: 'object', properties: mergeProperties(branches), required, additionalProperties: false };
}

function inputSchemaOf({ name }: AnyOperation, isList: boolean): JsonSchema {
  const schema = withoutRootChoice(toJsonSchema(contract[name].input, 'input'));
  const limit = schema.properties?.limit;
  if (isList && typeof limit === 'object') limit.default = MODEL_LIMIT;
  return { ...schema, type: 'object' };
}

/** The door's own envelope, so that every tool's answer is an object, whatever its operation answers. */
export const toolAnswer = <T extends z.ZodType>(data: T) =>
  z.object({
    notice: z.literal(DATA_NOTICE),
    request_id: z.string(),
    data,
    /** What did not fit: the path of each text or list that is not whole. */
    left_out: z.array(z.string()).optional(),
  });

const outputSchemaOf = ({ name }: AnyOperation): JsonSchema =>
  toJsonSchema(toolAnswer(contract[name].output), 'output');

/** As it goes over the wire, which is how the SDK types it. */
const onTheWire = (schema: JsonSchema): Tool['inputSchema'] => JSON.parse(JSON.stringify(schema));

const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function deskTool(operation: AnyOperation, tool: McpTool): DeskTool {
  const fields = z.toJSONSchema(contract[operation.name].input, {
    io: 'input',
    unrepresentable: 'any',
  }).properties;
  const isList = fields !== undefined && 'limit' in fields && 'cursor' in fields;
  const readOnly = operation.scope === 'read';
  const listed: Tool = {
    name: tool.name,
    title: titleOf(tool.name),
    description: tool.description,
    inputSchema: onTheWire(inputSchemaOf(operation, isList)),
    outputSchema: onTheWire(outputSchemaOf(operation)),
    annotations: {
      title: titleOf(tool.name),
      readOnlyHint: readOnly,
      destructiveHint: tool.destructive ?? false,
      idempotentHint: readOnly || (tool.idempotent ?? false),
      openWorldHint: false,
    },
  };
  return { operation, listed, isList };
}

/** Every tool by its name: the operations of the registry that have one, and nothing else (decisions 10). */
export const deskTools: ReadonlyMap<string, DeskTool> = (() => {
  const tools = new Map<string, DeskTool>();
  for (const operation of operations) {
    if (!operation.tool) continue;
    const { name } = operation.tool;
    if (tools.has(name)) throw new Error(`two operations are the tool ${name}`);
    tools.set(name, deskTool(operation, operation.tool));
  }
  return tools;
})();

/** Write tools are absent for a token that may only read (decisions 10). */
export const toolsFor = (actor: Actor): DeskTool[] =>
  [...deskTools.values()].filter(({ operation }) => mayRun(operation, actor));
