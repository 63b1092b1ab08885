import type { AuditSubject, OperationName, OutputOf, ParsedInputOf } from '@foyer/protocol';
import type { TokenResource } from '@foyer/protocol/values/tokens/token-scopes';
import type { SiteContext } from './context.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * `token` is an API token; `browser` is a token published in a page, so anybody can read it; `agent` is every
 * agent, `admin` only those who manage the site.
 */
export type Who = 'token' | 'browser' | 'agent' | 'admin' | 'visitor' | 'operator';

export const agentsRead = { who: ['agent'], scope: 'read' } as const;
export const agentsWrite = { who: ['agent'], scope: 'write' } as const;
export const adminsRead = { who: ['admin'], scope: 'read' } as const;
export const adminsWrite = { who: ['admin'], scope: 'write' } as const;

/** Where REST serves an operation (`resource=NAME`, or `/v1/NAME`). */
export interface RestRoute<Output = unknown> {
  resource: string;
  method: Method;
  /** For a POST or PATCH: the fields that come in the query. All others come in the body. */
  query?: readonly string[];
  /** Answers 201 instead of 200. */
  creates?: true;
  /** Answers 201 if this output says that a record was created, else 200, for upserts. */
  createsWhen?(output: Output): boolean;
  /** The response to a browser token instead, always with 200: no stored data. */
  inPage?(output: Output): object;
}

/** An operation as an MCP tool, named and described for a language model. */
export interface McpTool {
  /** Verb first, snake case: `reply_to_ticket`. */
  name: string;
  /** When to use it, what it returns, what to call before. The schema says the rest. */
  description: string;
  /** Deletes something for good, or reaches a person outside the team. */
  destructive?: true;
  /** Repeating the call changes nothing more. */
  idempotent?: true;
}

/**
 * An operation of the public interface. Entry points identify the caller, check permission, parse the input and run it.
 */
interface Operation<N extends OperationName = OperationName> {
  name: N;
  summary: string;
  who: readonly Who[];
  scope: 'read' | 'write';
  rest?: RestRoute<OutputOf<N>>;
  /** The REST resource to which the operation belongs for limited tokens, if REST serves it elsewhere or not at all. */
  resource?: TokenResource;
  tool?: McpTool;
  /**
   * Input fields that name a record of the site: `{ id: 'tag' }`. The contract test checks that another site's is
   * refused.
   */
  records?: Readonly<Record<string, string>>;
  /** The subject under which the audit log records this change. Set for everything that owners must account for. */
  audit?: AuditSubject;
  /**
   * Allowed for an agent who still has to set up the two-factor sign-in that the site requires. Everything else waits
   * for it.
   */
  beforeTwoFactor?: true;
  /**
   * May be answered by the replica, seconds behind: a read that nobody makes to see what they have just written. A
   * function decides by the input.
   */
  mayLag?: true | ((input: ParsedInputOf<N>) => boolean);
  run(ctx: SiteContext, input: ParsedInputOf<N>): Promise<OutputOf<N>>;
}

/** An operation whose input and output types are known only to its schemas, as in the registry. */
export interface AnyOperation {
  name: OperationName;
  summary: string;
  who: readonly Who[];
  scope: 'read' | 'write';
  rest?: RestRoute;
  resource?: TokenResource;
  tool?: McpTool;
  records?: Readonly<Record<string, string>>;
  audit?: AuditSubject;
  beforeTwoFactor?: true;
  mayLag?(input: unknown): boolean;
  run(ctx: SiteContext, input: unknown): Promise<unknown>;
}

/** Ties `run` to the contract's schemas of that name. Entry points parse the input with them before running it. */
export function operation<N extends OperationName>(definition: Operation<N>): AnyOperation {
  const { run, mayLag, ...rest } = definition;
  return {
    ...rest,
    ...(mayLag && { mayLag: (input) => mayLag === true || mayLag(input as ParsedInputOf<N>) }),
    run: (ctx, input) => run(ctx, input as ParsedInputOf<N>),
  };
}
