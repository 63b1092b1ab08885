import type { InputOf, OperationName, OutputOf } from '@foyer/protocol';
import type { OPERATIONS } from './operations.ts';
import type { FoyerEvent, StreamOptions } from './stream.ts';

/** How one call differs from the client's own settings. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Milliseconds for each try. */
  timeoutMs?: number;
  retries?: number;
  /** Of a POST: yours instead of one made by chance, so that another process may repeat the same request. */
  idempotencyKey?: string;
}

export interface Page<T> {
  items: T[];
  /** The `cursor` of the next page; null on the last one. */
  nextCursor: string | null;
}

interface AnyPage {
  items: unknown[];
}
export type ItemOf<N extends OperationName> = Extract<OutputOf<N>, AnyPage>['items'][number];
export type RecordOf<N extends OperationName> = Exclude<OutputOf<N>, AnyPage>;

/** What names a single record where the same operation also lists them. */
type NamingField<N extends OperationName> = 'session_id' extends keyof InputOf<N>
  ? 'session_id'
  : 'key' extends keyof InputOf<N>
    ? 'key'
    : 'id';
type OneInput<N extends OperationName> = N extends OperationName
  ? { [F in NamingField<N> & keyof InputOf<N>]-?: NonNullable<InputOf<N>[F]> }
  : never;
type ListInput<N extends OperationName, Answers> = Answers extends 'both'
  ? Omit<InputOf<N>, NamingField<N>>
  : InputOf<N>;

/** An input without a field that must be there may be left out. */
type Arguments<Input> =
  Input extends Record<string, never>
    ? [input?: Input, options?: CallOptions]
    : object extends Input
      ? [input?: Input, options?: CallOptions]
      : [input: Input, options?: CallOptions];

interface Described {
  name: OperationName;
  answers: 'one' | 'page' | 'both';
}
type Methods = Readonly<Record<string, Described>>;
type Lists<M extends Methods> = Extract<M[keyof M], { answers: 'page' | 'both' }>;

type One<M extends Methods> = {
  readonly [K in keyof M as M[K]['answers'] extends 'one' ? K : never]: (
    ...args: Arguments<InputOf<M[K]['name']>>
  ) => Promise<RecordOf<M[K]['name']>>;
};

interface Listing<L extends Described> {
  /** One page. */
  list(...args: Arguments<ListInput<L['name'], L['answers']>>): Promise<Page<ItemOf<L['name']>>>;
  /** Every record, page after page. */
  all(
    ...args: Arguments<Omit<ListInput<L['name'], L['answers']>, 'cursor'>>
  ): AsyncGenerator<ItemOf<L['name']>, void, undefined>;
}

interface Getting<L extends Described> {
  /** One record, with everything that a list omits. */
  get(input: OneInput<L['name']>, options?: CallOptions): Promise<RecordOf<L['name']>>;
}

type ResourceClient<M extends Methods> = One<M> &
  ([Lists<M>] extends [never] ? unknown : Listing<Lists<M>>) &
  ([Extract<Lists<M>, { answers: 'both' }>] extends [never] ? unknown : Getting<Lists<M>>);

/** The resources of the REST API, each with its operations, and the stream of events. */
export type FoyerClient = {
  readonly [R in keyof typeof OPERATIONS]: ResourceClient<(typeof OPERATIONS)[R]>;
} & {
  /** The events of the site, from now on or behind `lastEventId`. It reconnects without losing or repeating any. */
  stream<E extends FoyerEvent['event']>(
    options?: StreamOptions<E>,
  ): AsyncGenerator<FoyerEvent<E>, void, undefined>;
};
