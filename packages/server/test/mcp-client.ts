import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import type { Json } from './app.ts';

/** The revisions that clients speak: with a handshake (until 2025-11-25), and each message on its own (2026-07-28). */
export const ERAS = ['legacy', 'auto'] as const;
export type Era = (typeof ERAS)[number];

export interface ToolAnswer {
  isError: boolean;
  /** The content of the response's envelope; for an error, its body. */
  data: Json;
  requestId: string;
  leftOut: string[];
  text: string;
  structured: Json;
}

/** The official client, connected over real HTTP with an API token. */
export interface McpDesk {
  client: Client;
  tools(): Promise<Tool[]>;
  call(name: string, input?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export async function connectMcp(url: string, token: string, era: Era = 'auto'): Promise<McpDesk> {
  const client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    authProvider: { token: async () => token },
  });
  await client.connect(transport);
  return {
    client,
    tools: async () => (await client.listTools()).tools,
    async call(name, input = {}, meta) {
      const result = await client.callTool({
        name,
        arguments: input,
        ...(meta === undefined ? {} : { _meta: meta }),
      });
      const [block] = result.content;
      const text = block?.type === 'text' ? block.text : '';
      const structured: Json = result.structuredContent;
      const failure: Json = result.isError ? JSON.parse(text).error : undefined;
      return {
        isError: result.isError === true,
        data: failure ?? structured.data,
        requestId: failure?.request_id ?? structured.request_id,
        leftOut: structured?.left_out ?? [],
        text,
        structured,
      };
    },
    close: () => client.close(),
  };
}
