import { contract } from '@foyer/protocol';
import type { Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Actor } from '../../core/actor.ts';
import type { AnyOperation, McpTool } from '../../core/operation.ts';
import { mayRun, operations } from '../../registry.ts';
import { DATA_NOTICE } from './result.ts';
import { type JsonSchema, toToolSchema } from './schema.ts';

/** The default `limit` of lists for models, whose context is small. REST has 50. */
export const MODEL_LIMIT = 20;

/** An operation as a tool: its entry in `tools/list`, and the data needed to call it. */
export interface DeskTool {
  readonly operation: AnyOperation;
  readonly listed: Tool;
  /** Whether it is a list with an optional `limit`. */
  readonly isList: boolean;
}

/**
 * Adjusts the description of a list's default limit. Model providers require an object at the root, without
 * alternatives there.
 */
function inputSchemaOf({ name }: AnyOperation): { schema: JsonSchema; isList: boolean } {
  const schema = toToolSchema(contract[name].input, 'input');
  const { limit, cursor } = schema.properties ?? {};
  const isList = typeof limit === 'object' && cursor !== undefined;
  if (isList) limit.default = MODEL_LIMIT;
  return { schema: { ...schema, type: 'object' }, isList };
}

/** The envelope of every result, so that it is an object, whatever the operation returns. */
export const toolAnswer = <T extends z.ZodType>(data: T) =>
  z.object({
    notice: z.literal(DATA_NOTICE),
    request_id: z.string(),
    data,
    /** The path of each text or list that was shortened. */
    left_out: z.array(z.string()).optional(),
  });

const outputSchemaOf = ({ name }: AnyOperation): JsonSchema =>
  toToolSchema(toolAnswer(contract[name].output), 'output');

/** In wire format, which is how the SDK types it. */
const onTheWire = (schema: JsonSchema): Tool['inputSchema'] => JSON.parse(JSON.stringify(schema));

const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function deskTool(operation: AnyOperation, tool: McpTool): DeskTool {
  const { schema, isList } = inputSchemaOf(operation);
  const readOnly = operation.scope === 'read';
  const listed: Tool = {
    name: tool.name,
    title: titleOf(tool.name),
    description: tool.description,
    inputSchema: onTheWire(schema),
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

/** Every tool by name: exactly the operations of the registry that define one. */
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

/** A read-only token doesn't see tools that write. */
export const toolsFor = (actor: Actor): DeskTool[] =>
  [...deskTools.values()].filter(({ operation }) => mayRun(operation, actor));
