import type { Language, Role } from '@foyer/protocol';
import type { Permission } from '@foyer/protocol/values/sign-in/permissions';
import type { TokenScope } from '@foyer/protocol/values/tokens/token-scopes';
import { AppError } from '../base/errors.ts';

/** A browser that has connected but sent no message, with the data for its visitor's record. */
export interface Guest {
  /** SHA-256 of its token. */
  readonly tokenHash: Buffer;
  readonly key: string;
  readonly userHash?: string | undefined;
  /** What the browser reports about itself; shown to agents, never trusted. */
  readonly browser: {
    readonly userAgent?: string | undefined;
    readonly language?: string | undefined;
    readonly timeZone?: string | undefined;
  };
}

/** The caller. Each operation's `who` says who may run it. */
export type Actor =
  | {
      readonly kind: 'token';
      readonly tokenId: number;
      readonly canWrite: boolean;
      /** Set for a token that is limited to resources; `canWrite` is false then. */
      readonly scopes?: readonly TokenScope[];
      readonly expiresAt?: Date;
      /** Addresses and ranges from which it works; an empty list means any. */
      readonly allowedAddresses?: readonly string[];
      /** Set for a browser token: the origins of the pages that may use it. An empty list means any. */
      readonly browser?: { readonly origins: readonly string[] };
      readonly requestCount: number;
    }
  | {
      readonly kind: 'agent';
      readonly agentId: number;
      readonly name: string;
      readonly role: Role;
      /** Set for an agent with a custom role, which consists of them. */
      readonly permissions?: readonly Permission[];
      /** The sign-in session of an agent who came with the desk's cookie. */
      readonly signInId?: string;
      /** Signed in with an identity provider of the site, which may act at no other. */
      readonly isThroughProvider?: true;
      /** Must set up two-factor sign-in, and may do nothing else. */
      readonly mustEnrol?: true;
    }
  | {
      readonly kind: 'visitor';
      /** Null for a guest. */
      readonly visitorId: number | null;
      /** Null for a guest, and for a link of the portal, which opens one ticket and no chat. */
      readonly deviceId: number | null;
      /** Set until the visitor writes: connecting alone creates no record. */
      readonly guest?: Guest;
      readonly verified: boolean;
      /** The browser's preferred language among those the site offers. */
      readonly language?: Language;
    }
  | { readonly kind: 'operator' }
  | { readonly kind: 'job' };

export type AgentActor = Extract<Actor, { kind: 'agent' }>;

/** The agent who acts, or in whose name the caller acts; null for everybody else. */
export const agentRefOf = ({ actor }: { readonly actor: Actor }): { id: number; name: string } | null =>
  actor.kind === 'agent' ? { id: actor.agentId, name: actor.name } : null;

/** @throws AppError 403 if the caller is not an agent. Operators, tokens and jobs have no name to act under. */
export function agentActor({ actor }: { readonly actor: Actor }): AgentActor {
  if (actor.kind !== 'agent') throw new AppError('insufficient_scope', 'Only an agent can do this.');
  return actor;
}
