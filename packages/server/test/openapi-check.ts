import { Ajv2020 } from 'ajv/dist/2020.js';
import type { OpenApiDocument } from '../src/http/openapi/types.ts';

const KEY = 'openapi.json';

/** A field that isn't described is an error of the description, though clients must expect some. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
  const isObject = 'type' in copy && copy.type === 'object' && 'properties' in copy;
  return isObject && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
};

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** Checks responses against an OpenAPI description. */
export class AnswerCheck {
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': /T.*Z$/, date: /^\d{4}-\d{2}-\d{2}$/, uuid: true },
  });
  readonly #document: OpenApiDocument;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#ajv.addSchema(JSON.parse(JSON.stringify(closed(document))), KEY);
  }

  /** @returns the differences between the response and its description */
  problems(method: string, resource: string, status: number, body: unknown): string[] {
    const path = `/v1/${resource}`;
    const verb = method.toLowerCase();
    const item: Record<string, { responses: Record<string, object> }> = { ...this.#document.paths[path] };
    const answer = item[verb]?.responses[status];
    if (!answer) return [`${method} ${path} does not answer ${status}`];
    const at =
      '$ref' in answer ? String(answer.$ref) : `#/paths/${escaped(path)}/${verb}/responses/${status}`;
    const validate = this.#ajv.compile({ $ref: `${KEY}${at}/content/application~1json/schema` });
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    );
  }
}
