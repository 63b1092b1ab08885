import { OPEN_RESOURCE, type TokenScope } from '@foyer/protocol/values/tokens/token-scopes';
import type { AnyOperation } from '../operation.ts';

/** The resource whose scope a limited token needs for an operation. */
const resourceOf = ({ resource, rest }: AnyOperation): string | undefined => resource ?? rest?.resource;

/** Whether one of the scopes of a token that is limited to resources covers an operation. Unknown ones aren't covered. */
export function isGranted(operation: AnyOperation, scopes: readonly TokenScope[]): boolean {
  const resource = resourceOf(operation);
  if (resource === undefined) return false;
  if (resource === OPEN_RESOURCE) return true;
  const granted: readonly string[] = scopes;
  if (granted.includes(`${resource}:write`)) return true;
  return operation.scope === 'read' && (granted.includes('read') || granted.includes(`${resource}:read`));
}

/** The scope that a limited token lacks for an operation, such as `tickets:write`; undefined if none covers it. */
export function neededScope(operation: AnyOperation): string | undefined {
  const resource = resourceOf(operation);
  return resource && `${resource}:${operation.scope}`;
}
