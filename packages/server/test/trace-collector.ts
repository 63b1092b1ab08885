import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as received by a collector. */
export interface ReceivedSpan {
  service: string;
  traceId: string;
  id: string;
  /** Empty for the first of a trace. */
  parentId: string;
  name: string;
  attributes: Record<string, string>;
  failed: boolean;
}

export interface TraceCollector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: ReceivedSpan[];
  /** Everything that was received, as text. */
  raw(): string;
  close(): Promise<void>;
}

/** A message of protocol buffers: its fields by number, with all their values. */
type Fields = Map<number, Buffer[]>;

function readFields(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const next = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    const value =
      wire === 0 ? Buffer.from(String(varint())) : next(wire === 1 ? 8 : wire === 5 ? 4 : varint());
    const number = tag >> 3;
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, number: number): Fields[] => (fields.get(number) ?? []).map(readFields);
const bytesOf = (fields: Fields, number: number): Buffer => fields.get(number)?.[0] ?? Buffer.alloc(0);

/** Numbers and booleans as their digits. */
function attributesOf(fields: Fields, number: number): Record<string, string> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const value = messages(pair, 2)[0] ?? new Map();
      return [String(bytesOf(pair, 1)), String([...value.values()][0]?.[0] ?? '')];
    }),
  );
}

/** By opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(body: Buffer): ReceivedSpan[] {
  return messages(readFields(body), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const service = resource ? (attributesOf(resource, 1)['service.name'] ?? '') : '';
    return messages(resourceSpans, 2).flatMap((scope) =>
      messages(scope, 2).map((span) => ({
        service,
        traceId: bytesOf(span, 1).toString('hex'),
        id: bytesOf(span, 2).toString('hex'),
        parentId: bytesOf(span, 4).toString('hex'),
        name: String(bytesOf(span, 5)),
        attributes: attributesOf(span, 9),
        failed: String(bytesOf(messages(span, 15)[0] ?? new Map(), 3)) === '2',
      })),
    );
  });
}

/** A collector of OTLP over HTTP, as protocol buffers. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (request.url === '/v1/traces') {
      bodies.push(body);
      spans.push(...spansOf(body));
    }
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    raw: () => Buffer.concat(bodies).toString('utf8'),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
