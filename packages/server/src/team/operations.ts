import { type AnyOperation, adminsWrite, operation } from '../core/operation.ts';
import { removeScimToken, rotateScimToken } from './provisioning/tokens.ts';
import { removeAgent } from './remove-agent.ts';

/** As for the providers themselves: with a token, a program could add anybody. */
const provisioning = { who: ['admin', 'operator'], scope: 'write', audit: 'identity_provider' } as const;

/** Changes of the team that affect the work of every domain. */
export const teamOperations: AnyOperation[] = [
  operation({
    ...adminsWrite,
    name: 'agents.remove',
    audit: 'agent',
    summary: 'Remove an agent from the site',
    records: { id: 'agent' },
    run: (ctx, { id }) => removeAgent(ctx, id),
  }),
  operation({
    ...provisioning,
    name: 'identity_providers.rotate_scim_token',
    summary:
      'Create the token with which an identity provider creates and removes agents; an earlier one ends',
    records: { id: 'identity_provider' },
    run: (ctx, { id }) => rotateScimToken(ctx, id),
  }),
  operation({
    ...provisioning,
    name: 'identity_providers.remove_scim_token',
    summary: 'End the provisioning by an identity provider; its agents stay',
    records: { id: 'identity_provider' },
    run: (ctx, { id }) => removeScimToken(ctx, id),
  }),
];
