import type { Attributes, Span as OtelSpan } from '@opentelemetry/api';
import { type Span, type SpanAttributes, type Tracer, traceWith } from '../base/spans.ts';
import type { TracingSettings } from '../config.ts';

/** Everything of OpenTelemetry, which is loaded here alone. */
async function loadPackages() {
  const [api, trace, hooks, core, resources, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  return { api, trace, hooks, core, resources, exporter };
}

type Packages = Awaited<ReturnType<typeof loadPackages>>;

function samplerOf({ trace }: Packages, { sampler, ratio }: TracingSettings) {
  const [, isParentBased, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? [];
  const root =
    name === 'always_off'
      ? new trace.AlwaysOffSampler()
      : name === 'traceidratio'
        ? new trace.TraceIdRatioBasedSampler(ratio)
        : new trace.AlwaysOnSampler();
  return isParentBased ? new trace.ParentBasedSampler({ root }) : root;
}

/** The address, headers and timeouts of the collector are read by the exporter itself: OTEL_EXPORTER_OTLP_…. */
function createProvider(packages: Packages, settings: TracingSettings, version: string) {
  const { trace, resources, exporter } = packages;
  const named = resources.resourceFromAttributes({ 'service.name': 'foyer', 'service.version': version });
  const chosen = resources.detectResources({
    detectors: [resources.envDetector, resources.serviceInstanceIdDetector],
  });
  return new trace.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(chosen),
    sampler: samplerOf(packages, settings),
    spanProcessors: [
      new trace.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter(),
        scheduledDelayMillis: settings.delayMs,
      }),
    ],
  });
}

const defined = (attributes: SpanAttributes = {}): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** The code of an error, else its class. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function createTracer(
  { api, core }: Packages,
  provider: ReturnType<typeof createProvider>,
): Omit<Tracer, 'sendsToReceivers'> {
  const propagator = new core.W3CTraceContextPropagator();
  const tracer = provider.getTracer('foyer');
  const { SpanKind, SpanStatusCode, context, trace, ROOT_CONTEXT } = api;
  const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };
  const contextOf = (parent: string | undefined) =>
    parent === undefined
      ? context.active()
      : propagator.extract(ROOT_CONTEXT, { traceparent: parent }, api.defaultTextMapGetter);
  const wrap = (span: OtelSpan, parent: ReturnType<typeof contextOf>): Span => {
    const own = trace.setSpan(parent, span);
    return {
      set: (attributes) => void span.setAttributes(defined(attributes)),
      fail(error) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        if (error !== undefined) span.setAttribute('error.type', typeOf(error));
      },
      end: () => span.end(),
      within: (work) => context.with(own, work),
    };
  };
  return {
    start(name, { kind, attributes, parent }) {
      const within = contextOf(parent);
      const options = {
        kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
        attributes: defined(attributes),
      };
      return wrap(tracer.startSpan(name, options, within), within);
    },
    running() {
      const carrier: Record<string, string> = {};
      propagator.inject(context.active(), carrier, api.defaultTextMapSetter);
      return carrier.traceparent;
    },
    ids() {
      const running = trace.getSpanContext(context.active());
      return running && { trace_id: running.traceId, span_id: running.spanId };
    },
  };
}

/**
 * Starts to trace this process. Call it before anything is opened that is to be traced.
 * @returns a function that sends the remaining spans and stops
 */
export async function startTracing(settings: TracingSettings, version: string): Promise<() => Promise<void>> {
  const packages = await loadPackages();
  const manager = new packages.hooks.AsyncLocalStorageContextManager().enable();
  packages.api.context.setGlobalContextManager(manager);
  const provider = createProvider(packages, settings, version);
  traceWith({ ...createTracer(packages, provider), sendsToReceivers: settings.sendsToReceivers });
  return async () => {
    traceWith(undefined);
    await provider.shutdown();
  };
}
