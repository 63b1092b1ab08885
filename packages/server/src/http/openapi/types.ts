// The parts of OpenAPI 3.1 that are written here, and read by the pages rendered from them.

/** JSON Schema 2020-12, as far as zod writes it. */
export interface JsonSchema {
  $ref?: string;
  $id?: string;
  $schema?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema | false;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  enum?: (string | number | null)[];
  const?: string | number | boolean | null;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: JsonSchema;
  /** Instead of `schema`, of a value that is JSON. */
  content?: { 'application/json': { schema: JsonSchema } };
}

interface MediaType {
  schema: JsonSchema;
  example?: unknown;
}

export interface Answer {
  description: string;
  headers: Record<string, Reference>;
  content: { 'application/json': MediaType };
}

export interface DescribedOperation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  parameters: (Parameter | Reference)[];
  requestBody?: { required: true; content: { 'application/json': MediaType } };
  responses: Record<string, Answer | Reference>;
  security: Record<string, string[]>[];
}

export type HttpMethod = 'get' | 'post' | 'patch' | 'delete';
export type PathItem = Partial<Record<HttpMethod, DescribedOperation>>;

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; summary: string; description: string; license: object };
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    parameters: Record<string, Parameter>;
    headers: Record<string, { description: string; schema: JsonSchema }>;
    responses: Record<string, Answer>;
    securitySchemes: Record<string, Record<string, string>>;
  };
}
