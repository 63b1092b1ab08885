import { ATTRIBUTE_LIMIT, type Attributes, email, visitorName } from '@foyer/protocol';

const ownName = visitorName;
const OWN_FIELDS = new Set(['key', 'email', 'name', 'attributes', 'previous_key', 'user_hash']);

/** The attributes of an upsert: the unknown top-level fields, overridden by `attributes`. */
export function attributesOf(input: {
  attributes?: Attributes | undefined;
  [field: string]: unknown;
}): Attributes {
  const others = Object.entries(input).filter(([name]) => !OWN_FIELDS.has(name));
  return { ...(Object.fromEntries(others) as Attributes), ...input.attributes };
}

/** Null clears an attribute, an absent one stays. */
export function mergeAttributes(current: Attributes, patch: Attributes): Attributes {
  const merged = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged);
}

/** Counts only the names. The contract limits the size of values. */
export const isOverLimit = (attributes: Attributes): boolean =>
  Object.keys(attributes).length > ATTRIBUTE_LIMIT;

/** `known` with missing attributes from `other`, except those in `cleared`, up to the limit. */
export function fillAttributes(known: Attributes, other: Attributes, cleared: Attributes): Attributes {
  const missing = Object.entries(other).filter(([name]) => !(name in known) && !(name in cleared));
  const room = Math.max(0, ATTRIBUTE_LIMIT - Object.keys(known).length);
  return { ...known, ...Object.fromEntries(missing.slice(0, room)) };
}

export interface ToldIdentity {
  email?: string | null;
  name?: string | null;
  attributes: Attributes;
}

/**
 * Separates what the SDK sends together: `email` and `name` become the visitor's own fields. An invalid address or
 * name stays an attribute, because a page's mistake must not cost the visitor the chat.
 */
export function identityOf(bag: Attributes): ToldIdentity {
  const { email: toldEmail, name: toldName, ...attributes } = bag;
  const told: ToldIdentity = { attributes };
  const parsedEmail = email.nullable().safeParse(toldEmail);
  if (parsedEmail.success) told.email = parsedEmail.data;
  else if (toldEmail !== undefined) attributes.email = toldEmail;
  const parsedName = ownName.nullable().safeParse(toldName);
  if (parsedName.success) told.name = parsedName.data;
  else if (toldName !== undefined) attributes.name = toldName;
  return told;
}
