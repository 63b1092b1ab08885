import {
  createMcpHandler,
  type Implementation,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createMcpServer, type McpCall } from './server.ts';

export type Answerer = (request: Request, call: McpCall, parsedBody: object) => Promise<Response>;

/** Answers an admitted message with the SDK, in the protocol version of its client. */
export function createAnswerer(version: string): Answerer {
  const identity: Implementation = { name: 'foyer', title: 'Foyer', version };
  const calls = new WeakMap<Request, McpCall>();
  const serverFor = (request: Request | undefined) => {
    const call = request && calls.get(request);
    if (!call) throw new Error('a request that nobody admitted');
    return createMcpServer(identity, call);
  };
  // MCP announces no changes of the desk, so no stream is kept open.
  const handler = createMcpHandler(({ requestInfo }) => serverFor(requestInfo), {
    legacy: 'reject',
    maxSubscriptions: 0,
  });
  /** Clients of the revisions up to 2025-11-25, one plain JSON answer for each message. */
  const answerLegacy = async (request: Request, parsedBody: object): Promise<Response> => {
    const server = serverFor(request);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  };
  return async (request, call, parsedBody) => {
    calls.set(request, call);
    return (await isLegacyRequest(request, parsedBody))
      ? answerLegacy(request, parsedBody)
      : handler.fetch(request, { parsedBody });
  };
}
