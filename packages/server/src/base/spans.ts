// The interface to tracing: code names its spans here. Nothing is loaded, and a span costs one comparison, unless
// `app/tracing` has been started.

/** Only values that say nothing about people: no text, name, address or key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface SpanStart {
  /** The role in a call; default: internal. */
  kind?: 'server' | 'client' | 'consumer';
  attributes?: SpanAttributes;
  /**
   * A W3C `traceparent` that the span continues. An empty one begins a trace of its own, whatever is running. Default:
   * the span that is running.
   */
  parent?: string;
}

export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. Of an error only its code or name is kept: messages may quote what people wrote. */
  fail(error?: unknown): void;
  end(): void;
  /** Runs `work` so that spans begun within it are children of this one. */
  within<T>(work: () => T): T;
}

export interface Tracer {
  start(name: string, start: SpanStart): Span;
  /** The span that is running, as W3C `traceparent`; undefined outside of any. */
  running(): string | undefined;
  /** For log lines; undefined outside of any span. */
  ids(): { trace_id: string; span_id: string } | undefined;
  /** Whether webhook receivers get the `traceparent`. */
  readonly sendsToReceivers: boolean;
}

let tracer: Tracer | undefined;

/** Starts tracing in this process. */
export function traceWith(next: Tracer | undefined): void {
  tracer = next;
}

/** Undefined unless tracing is on. */
export const currentTracer = (): Tracer | undefined => tracer;

/** Runs `work` as a span, which fails as it does. */
export async function inSpan<T>(
  name: string,
  start: SpanStart,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!tracer) return work(undefined);
  const span = tracer.start(name, start);
  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
