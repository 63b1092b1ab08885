import type { AuditSubject, OperationName, OutputOf, ParsedInputOf } from '@foyer/protocol';
import type { SiteContext } from './context.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * `token` is an API token, `browser` one that stands in a page for everybody to read; `agent` is every agent, `admin`
 * only those who run the site.
 */
export type Who = 'token' | 'browser' | 'agent' | 'admin' | 'visitor' | 'operator';

export const agentsRead = { who: ['agent'], scope: 'read' } as const;
export const agentsWrite = { who: ['agent'], scope: 'write' } as const;
export const adminsRead = { who: ['admin'], scope: 'read' } as const;
export const adminsWrite = { who: ['admin'], scope: 'write' } as const;

/** Where an operation is found over REST (`resource=NAME`, or `/v1/NAME`). */
export interface RestRoute<Output = unknown> {
  resource: string;
  method: Method;
  /** Of a POST or PATCH: the fields that come in the query; all others come in the body. */
  query?: readonly string[];
  /** Answers 201 instead of 200. */
  creates?: true;
  /** Answers 201 when this output says that a record was made, else 200: an upsert does either. */
  createsWhen?(output: Output): boolean;
  /** What a browser token is answered instead, always with 200: nothing that was stored before. */
  inPage?(output: Output): object;
}

/** An operation as an MCP tool, named and described for a language model. */
export interface McpTool {
  /** Verb first, snake case: `reply_to_ticket`. */
  name: string;
  /** When to use it, what comes back, what to call before; the schema says the rest. */
  description: string;
  /** It takes away what can't be brought back, or reaches a person outside the team. */
  destructive?: true;
  /** The same call once more changes nothing further. */
  idempotent?: true;
}

/** One thing that the outside can do. The doors establish who calls, check, parse, run. */
interface Operation<N extends OperationName = OperationName> {
  name: N;
  summary: string;
  who: readonly Who[];
  scope: 'read' | 'write';
  rest?: RestRoute<OutputOf<N>>;
  tool?: McpTool;
  /** An input field that names a record of the site: `{ id: 'tag' }`. The contract test refuses another site's. */
  records?: Readonly<Record<string, string>>;
  /** What the audit log tells that this changes or takes out; whatever owners answer for has one. */
  audit?: AuditSubject;
  /** Open to an agent who has yet to set up the code that the site wants at the sign-in; all else waits for it. */
  beforeTwoFactor?: true;
  run(ctx: SiteContext, input: ParsedInputOf<N>): Promise<OutputOf<N>>;
}

/** An operation whose input and output are known only by its schemas, as the registry holds it. */
export interface AnyOperation {
  name: OperationName;
  summary: string;
  who: readonly Who[];
  scope: 'read' | 'write';
  rest?: RestRoute;
  tool?: McpTool;
  records?: Readonly<Record<string, string>>;
  audit?: AuditSubject;
  beforeTwoFactor?: true;
  run(ctx: SiteContext, input: unknown): Promise<unknown>;
}

/** Ties `run` to the contract's schemas of that name; the doors parse the input by them before they run it. */
export function operation<N extends OperationName>(definition: Operation<N>): AnyOperation {
  const { run, ...rest } = definition;
  return { ...rest, run: (ctx, input) => run(ctx, input as ParsedInputOf<N>) };
}
