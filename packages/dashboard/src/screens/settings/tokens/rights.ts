import type { ApiToken } from '@foyer/protocol';
import {
  isResourceScope,
  parseScopes,
  TOKEN_RESOURCES,
  type TokenResource,
} from '@foyer/protocol/values/tokens/token-scopes';

export const RESOURCES = Object.keys(TOKEN_RESOURCES) as TokenResource[];

/** The rights of a program's token; `limited`: chosen by resource. */
export const API_KINDS = ['read', 'write', 'limited'] as const;
export type ApiKind = (typeof API_KINDS)[number];

export type Right = 'none' | 'read' | 'write';
/** Resources that aren't in it have no rights. */
export type Rights = Partial<Record<TokenResource, Right>>;

/** The rights that make a difference for a resource. */
export const rightsFor = (resource: TokenResource): Right[] => ['none', ...TOKEN_RESOURCES[resource]];

export function kindOf({ scopes }: ApiToken): ApiKind {
  if (scopes.some(isResourceScope)) return 'limited';
  return scopes.includes('write') ? 'write' : 'read';
}

/** A token's rights by resource. `read` for everything counts as reading each. */
export function rightsOf({ scopes }: ApiToken): Rights {
  const rights: Rights = {};
  for (const resource of RESOURCES) {
    const known: readonly string[] = TOKEN_RESOURCES[resource];
    if (scopes.includes(`${resource}:write`)) rights[resource] = 'write';
    else if (scopes.includes(`${resource}:read`) || (scopes.includes('read') && known.includes('read')))
      rights[resource] = 'read';
  }
  return rights;
}

/** The scopes of an operation's input. Nothing chosen is no scope, which the server refuses. */
export function scopesOf(kind: ApiKind, rights: Rights): string {
  if (kind !== 'limited') return kind === 'write' ? 'read,write' : 'read';
  return RESOURCES.flatMap((resource) => {
    const right = rights[resource] ?? 'none';
    return right === 'none' ? [] : [`${resource}:${right}`];
  }).join(',');
}

/** Whether a choice of rights allows anything. */
export const isAnything = (kind: ApiKind, rights: Rights): boolean =>
  parseScopes(scopesOf(kind, rights)) !== undefined;
