import {
  type CallToolResult,
  type Implementation,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { toAppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { runOperation } from '../../registry.ts';
import { isPage } from '../answer.ts';
import { checkScope } from '../rest/admission.ts';
import { runOnce } from '../rest/idempotency.ts';
import { MCP_INSTRUCTIONS } from './instructions.ts';
import { dataResult, errorResult } from './result.ts';
import { fitAnswer, itemsThatFit } from './size.ts';
import { type DeskTool, deskTools, MODEL_LIMIT, toolsFor } from './tools.ts';

/** Where a client may pass an idempotency key for a write (`_meta` of `tools/call`). */
const IDEMPOTENCY_META = 'idempotency_key';

/** A token's tools depend only on its scopes, which seldom change; each call checks them. */
const TOOLS_TTL_MS = 300_000;

/** One call of one caller, in the form that REST and MCP share. */
export interface McpCall {
  ctx: SiteContext;
  requestId: string;
}

type Arguments = Readonly<Record<string, unknown>>;

async function runTool(
  { operation }: DeskTool,
  ctx: SiteContext,
  input: Arguments,
  key: unknown,
): Promise<unknown> {
  // Reads can be repeated safely.
  if (key === undefined || operation.scope === 'read') return runOperation(operation, ctx, input);
  return runOnce(ctx, String(key), operation, input);
}

/** A page that is too long is read again with fewer records, so that its cursor continues where the result ends. */
async function readPageThatFits(tool: DeskTool, ctx: SiteContext, input: Arguments): Promise<unknown> {
  const output = await runOperation(tool.operation, ctx, input);
  if (!isPage(output)) return output;
  const limit = itemsThatFit(output.items);
  return limit === output.items.length ? output : runOperation(tool.operation, ctx, { ...input, limit });
}

async function callTool(
  { ctx, requestId }: McpCall,
  tool: DeskTool,
  given: Arguments,
  key: unknown,
): Promise<CallToolResult> {
  try {
    checkScope(tool.operation, ctx.actor);
    const output = tool.isList
      ? await readPageThatFits(tool, ctx, { limit: MODEL_LIMIT, ...given })
      : await runTool(tool, ctx, given, key);
    const { data, leftOut } = fitAnswer(output);
    return dataResult(data, requestId, leftOut);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.status >= 500) {
      ctx.log.error(
        { err: error.cause ?? error, code: error.code, tool: tool.listed.name },
        'request failed',
      );
    }
    return errorResult(error, requestId);
  }
}

/** A server for one request of one caller. It keeps no state, so any node can answer any request. */
export function createMcpServer(identity: Implementation, call: McpCall): Server {
  const server = new Server(identity, {
    capabilities: { tools: {} },
    instructions: MCP_INSTRUCTIONS,
    cacheHints: { 'tools/list': { ttlMs: TOOLS_TTL_MS, cacheScope: 'private' } },
  });
  server.setRequestHandler('tools/list', () => ({
    tools: toolsFor(call.ctx.actor).map(({ listed }) => listed),
  }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = deskTools.get(params.name);
    if (tool) return callTool(call, tool, params.arguments ?? {}, params._meta?.[IDEMPOTENCY_META]);
    const message = `Unknown tool: ${JSON.stringify(params.name.slice(0, 60))}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { request_id: call.requestId });
  });
  return server;
}
