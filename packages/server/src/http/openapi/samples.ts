import { refName } from './schemas.ts';
import type { JsonSchema } from './types.ts';

/** Example values by field name, for schemas without an example. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  ok: true,
  id: 42,
  email: 'maya@example.com',
  address: 'help@shop.example',
  key: 'user_42',
  requester_key: 'user_42',
  previous_key: 'anon_5f0c2a',
  requester: { key: 'user_42', email: 'maya@example.com' },
  url: 'https://crm.example/foyer',
  page_url: 'https://shop.example/lamps/aurora',
  color: '#0f766e',
  q: 'aurora',
  tag: 'returns',
  tags: ['returns'],
  sender: 'lamps.example',
  name: 'Maya Fischer',
  subject: 'The lamp arrived broken',
  title: 'Returning an item',
  slug: 'returning-an-item',
  category: 'Orders',
  body: 'You can return anything within 30 days of delivery.',
  text: 'Can I talk to a person?',
  label: 'Delivery',
  prompt: 'How long does delivery take?',
  summary: 'The visitor asked for a person.\n“Is the lamp dimmable?” – the bot didn’t know.',
  comment: 'Quick and friendly',
  description: 'The shade is cracked.',
  status: 'open',
  priority: 'normal',
  rating: 5,
  attributes: { plan: 'pro' },
  attribute: 'plan',
  value: 'pro',
  event: 'order_placed',
  properties: { total: 89.5 },
  payload: { event: 'handoff' },
  delivery_id: 'dlv_eSgnWyWrngY_GJBe_2',
  secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  secret_hint: 'ZWY=',
  since: '2026-03-01',
  updated_since: '2026-03-01',
  response_excerpt: 'ok',
  error: null,
  disabled_reason: null,
  disabled_failure: null,
  failure: null,
  next_cursor: null,
  follow_up_of: null,
  solved_utc: null,
  snoozed_until_utc: null,
  cursor: 'NDI',
  limit: 50,
  status_code: 200,
  external_id: 'A-1042',
};
const SESSION = 'ses_9oXOgXH06lN9TMRgxSir7g';
const TIME = '2026-03-01T09:30:00.000Z';
/** Example values for fields that mean something else in certain records. */
const BY_OWNER: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  name: [
    [/^tag/i, 'returns'],
    [/^macro/i, 'Refund and close'],
    [/^saved_?view/i, 'Urgent and open'],
    [/^segment/i, 'Big spenders'],
    [/^(track|recent_event)/i, 'order_placed'],
    [/attachment/i, 'lamp.jpg'],
    [/agent|author/i, 'Ada'],
  ],
  description: [[/^webhook/i, 'CRM']],
  address: [[/knowledge/i, 'https://shop.example/faq']],
  body: [[/^ticket|^reply|macro/i, 'The shade is cracked. We send you a new one.']],
};

type Records = Readonly<Record<string, JsonSchema>>;

function byField(name: string, schema: JsonSchema, owner: string): unknown {
  if (/^ses_/.test(schema.pattern?.slice(1) ?? '') || name === 'session_id') return SESSION;
  if (name in BY_NAME) return BY_OWNER[name]?.find(([pattern]) => pattern.test(owner))?.[1] ?? BY_NAME[name];
  return /_utc$/.test(name) ? TIME : undefined;
}

const fits = (value: unknown, { type, enum: choices, anyOf }: JsonSchema): boolean => {
  if (anyOf) return anyOf.some((one) => fits(value, one));
  if (choices) return choices.some((choice) => choice === value);
  const types = [type ?? []].flat();
  const own = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return types.length === 0 || types.includes(own) || (own === 'number' && types.includes('integer'));
};

/** Which fields an example contains: all, or only the required ones. */
type Extent = 'all' | 'required';

export class Sampler {
  readonly #records: Records;
  readonly #extent: Extent;

  constructor(records: Records, extent: Extent) {
    this.#records = records;
    this.#extent = extent;
  }

  /**
   * An example of a schema: its own, or one composed from the names and types of its fields.
   * @param owner the name of the record or operation, which tells a tag's name from a person's
   */
  of(schema: JsonSchema, owner: string, name = ''): unknown {
    const record = refName(schema);
    if (record !== undefined) {
      const known = this.#records[record] ?? {};
      return this.of(known, known.properties ? record : owner, known.properties ? '' : name);
    }
    if (schema.examples) return schema.examples[0];
    if (schema.const !== undefined) return schema.const;
    const named = byField(name, schema, owner);
    if (named !== undefined && fits(named, schema)) return named;
    if (schema.default !== undefined) return schema.default;
    if (schema.enum) return schema.enum[0];
    const [choice] = schema.anyOf ?? schema.oneOf ?? [];
    if (choice) return this.of(choice, owner, name);
    return this.#byType(schema, owner, name);
  }

  #byType(schema: JsonSchema, owner: string, name: string): unknown {
    const type = [schema.type ?? 'string'].flat()[0];
    switch (type) {
      case 'object':
        return this.#object(schema, name === '' ? owner : name);
      case 'array':
        if (!schema.items || schema.items.not) return [];
        return [this.of(schema.items, owner, name.replace(/s$/, ''))];
      case 'integer':
      case 'number':
        return Math.max(schema.minimum ?? 0, /_id$/.test(name) ? 7 : 1);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default:
        return 'text';
    }
  }

  #object({ properties = {}, required = [] }: JsonSchema, owner: string): Record<string, unknown> {
    const fields = Object.keys(properties).filter(
      (field) => this.#extent === 'all' || required.includes(field),
    );
    return Object.fromEntries(fields.map((field) => [field, this.of(properties[field] ?? {}, owner, field)]));
  }
}
