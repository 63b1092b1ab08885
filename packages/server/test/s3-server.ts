import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const ACCESS_KEY = 'AKIATESTTESTTEST';
const SECRET_KEY = 'the secret key of the object storage';
const REGION = 'eu-test-1';

export interface S3Server {
  /** The environment variables for programs that use it. */
  readonly settings: Readonly<Record<string, string>>;
  /** The contents of buckets, by `bucket/key`. */
  readonly objects: Map<string, Buffer>;
  /** Uploads in parts that were neither completed nor aborted. */
  readonly unfinished: Map<string, Map<number, Buffer>>;
  /** Answers the next so many writes with 503. */
  failNext(count: number): void;
  close(): Promise<void>;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/** Whether a request has a signature of this server's key (AWS Signature Version 4). */
function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const { pathname, searchParams } = new URL(url, 'http://s3.test');
  const [, key, day, region, names = '', given = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const hash = String(headers['x-amz-content-sha256']);
  if (key !== ACCESS_KEY || region !== REGION || (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)))
    return false;
  const query = [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const request = [method, pathname, query, signed.join(''), names, hash].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${region}/s3/aws4_request`,
    sha256(request),
  ];
  const signing = ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(`AWS4${SECRET_KEY}`, day ?? ''), region ?? ''),
  );
  return timingSafeEqual(hmac(signing, text.join('\n')), Buffer.from(given, 'hex'));
}

type Reply = [status: number, body?: string | Buffer, headers?: Record<string, string>];

const refusal = (status: number, code: string): Reply => [
  status,
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
];

/** Object storage with the part of the Amazon S3 API that backups need, addressed by path. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const unfinished = new Map<string, Map<number, Buffer>>();
  let failing = 0;

  const list = (bucket: string, query: URLSearchParams): Reply => {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
    const found = [...objects].filter(([path]) => path.startsWith(prefix));
    const contents = found.map(
      ([path, content]) =>
        `<Contents><Key>${path.slice(bucket.length + 1)}</Key><Size>${content.length}</Size><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"x"</ETag></Contents>`,
    );
    return [
      200,
      `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><KeyCount>${found.length}</KeyCount><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`,
    ];
  };
  const upload = (method: string, path: string, id: string, part: number, body: Buffer): Reply => {
    const parts = unfinished.get(id);
    if (!parts) return refusal(404, 'NoSuchUpload');
    if (method === 'PUT') {
      parts.set(part, body);
      return [200, '', { etag: `"${sha256(body)}"` }];
    }
    unfinished.delete(id);
    if (method === 'DELETE') return [204];
    const numbers = [...parts.keys()].sort((a, b) => a - b);
    objects.set(path, Buffer.concat(numbers.map((number) => parts.get(number) ?? Buffer.alloc(0))));
    return [
      200,
      `<?xml version="1.0"?><CompleteMultipartUploadResult><Location>x</Location><Bucket>b</Bucket><Key>k</Key><ETag>"x"</ETag></CompleteMultipartUploadResult>`,
    ];
  };
  const answer = (request: IncomingMessage, body: Buffer): Reply => {
    const { method = '', url = '' } = request;
    const { pathname, searchParams: query } = new URL(url, 'http://s3.test');
    if (!isSigned(request, body)) return refusal(403, 'SignatureDoesNotMatch');
    if (method !== 'GET' && failing > 0) {
      failing -= 1;
      return refusal(503, 'SlowDown');
    }
    const path = decodeURIComponent(pathname.slice(1));
    const [bucket = '', ...key] = path.split('/');
    if (bucket !== 'backups') return refusal(404, 'NoSuchBucket');
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID();
      unfinished.set(id, new Map());
      return [
        200,
        `<?xml version="1.0"?><InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${key.join('/')}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      ];
    }
    const id = query.get('uploadId');
    if (id !== null) return upload(method, path, id, Number(query.get('partNumber')), body);
    if (method === 'DELETE') return [objects.delete(path) ? 204 : 404];
    if (method !== 'GET') return refusal(405, 'MethodNotAllowed');
    if (key.join('') === '') return list(bucket, query);
    const content = objects.get(path);
    return content ? [200, content] : refusal(404, 'NoSuchKey');
  };

  const server = createServer(async (request, response) => {
    const [status, body = '', headers = {}] = answer(request, await buffer(request));
    const type = typeof body === 'string' ? 'application/xml' : 'application/octet-stream';
    response
      .writeHead(status, {
        'content-type': type,
        'content-length': String(Buffer.byteLength(body)),
        ...headers,
      })
      .end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    objects,
    unfinished,
    failNext: (count) => {
      failing = count;
    },
    settings: {
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
