import { PLAN_LIMITS } from '@foyer/protocol';
import { AppError } from '../base/errors.ts';
import { permissionsOf } from '../core/access/permissions.ts';
import { agentActor } from '../core/actor.ts';
import {
  type AnyOperation,
  adminsRead,
  adminsWrite,
  agentsRead,
  agentsWrite,
  operation,
} from '../core/operation.ts';
import { getAgent, listAgents, listSitesOfUser, setAgentRole, userOfAgent } from './agents/agents.ts';
import { choicesOf, choose } from './agents/choices.ts';
import { removePicture, setLogo, setOwnPicture } from './agents/faces.ts';
import {
  inviteAgent,
  listAcceptedInvitations,
  listInvitations,
  revokeInvitation,
} from './agents/invitations.ts';
import { choosePresence, setLimit } from './agents/presence.ts';
import { setSkills } from './agents/skills.ts';
import { getFirstSteps, putFirstStepsAway } from './first-steps.ts';
import { findIdentitySecret, removeIdentitySecret, rotateIdentitySecret } from './identity-secret.ts';
import { createOwnSite } from './new-site.ts';
import { changePublicAddress, readPublicAddress } from './sign-in/public-url.ts';
import { signOutAgent } from './sign-in/session-limits.ts';
import { resetTwoFactor } from './sign-in/two-factor.ts';
import { getSite, presentSite, setPlan, updateSite } from './sites.ts';
import { storageOf } from './storage.ts';
import {
  createBrowserToken,
  createToken,
  listTokens,
  revokeToken,
  rotateToken,
  scopesOf,
  updateApiToken,
  updateBrowserToken,
} from './tokens/api-tokens.ts';
import { getUsage, getUsageDays } from './usage.ts';

export const siteOperations: AnyOperation[] = [
  operation({
    name: 'whoami.get',
    summary: 'Read the calling token: site, scopes, limits and number of requests',
    who: ['token'],
    scope: 'read',
    rest: { resource: 'whoami', method: 'GET' },
    tool: {
      name: 'whoami',
      description:
        'Read what this token may do (`scopes`), until when and from where, its site, and its number of requests.',
    },
    async run({ site, actor }) {
      if (actor.kind !== 'token') throw new AppError('unauthorized', 'whoami works only with an API token.');
      const { canWrite, scopes, requestCount, expiresAt, allowedAddresses = [] } = actor;
      return {
        site_id: site.id,
        scopes: scopesOf(canWrite, scopes),
        request_count: requestCount,
        expires_utc: expiresAt?.toISOString() ?? null,
        allowed_addresses: [...allowedAddresses],
      };
    },
  }),
  operation({
    name: 'usage.get',
    summary: 'Read bot replies and tokens of the current billing cycle',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'usage', method: 'GET' },
    tool: {
      name: 'get_usage',
      description:
        'Read the plan and its usage in the current billing cycle: AI replies, bot tokens, agents.',
    },
    run: getUsage,
  }),
  operation({
    ...agentsRead,
    name: 'usage.days',
    summary: 'Read the usage of the last 30 days: bot replies, bot tokens, API requests',
    run: getUsageDays,
  }),
  operation({
    ...agentsRead,
    name: 'usage.storage',
    summary: 'Estimate the storage of each kind of data',
    run: storageOf,
  }),
  operation({
    ...agentsRead,
    name: 'me.get',
    summary: 'Read the signed-in agent, the site, and the person’s other sites',
    beforeTwoFactor: true,
    async run(ctx) {
      const { agentId, role, permissions, isThroughProvider, mustEnrol } = agentActor(ctx);
      const site = presentSite(await getSite(ctx.db, ctx.site.id));
      return {
        agent: await getAgent(ctx, agentId),
        permissions: [...permissionsOf(role, permissions ?? null)],
        ...(await choicesOf(ctx, agentId)),
        site,
        base_url: ctx.services.address.url,
        sites: isThroughProvider
          ? [{ id: site.id, name: site.name }]
          : await listSitesOfUser(ctx.db, await userOfAgent(ctx, agentId)),
        must_enrol: mustEnrol === true,
      };
    },
  }),
  operation({
    ...adminsRead,
    name: 'public_address.get',
    summary: 'Read the address that links and the snippet begin with, and who sets it',
    run: readPublicAddress,
  }),
  operation({
    ...adminsWrite,
    name: 'public_address.set',
    summary: 'Change the address that links and the snippet begin with',
    run: changePublicAddress,
  }),
  operation({
    ...agentsRead,
    name: 'first_steps.get',
    summary: 'List the first steps and which are done',
    run: getFirstSteps,
  }),
  operation({
    ...agentsWrite,
    name: 'first_steps.put_away',
    summary: 'Hide or show one’s first steps',
    async run(ctx, { put_away }) {
      await putFirstStepsAway(ctx, put_away);
      return { done: true };
    },
  }),
  operation({
    ...agentsWrite,
    name: 'me.set_presence',
    summary: 'Set one’s presence: online, away or invisible',
    async run(ctx, { presence }) {
      await choosePresence(ctx, presence);
      return { done: true };
    },
  }),
  operation({
    ...agentsWrite,
    name: 'me.set_picture',
    summary: 'Set or remove your own picture',
    run: (ctx, { content }) => setOwnPicture(ctx, content),
  }),
  operation({
    ...adminsWrite,
    name: 'site.set_logo',
    audit: 'site',
    summary: 'Set or remove the site’s logo',
    run: (ctx, { content }) => setLogo(ctx, content),
  }),
  operation({
    ...agentsWrite,
    name: 'me.set_language',
    summary: 'Set one’s language in the desk',
    async run(ctx, choice) {
      await choose(ctx, choice);
      return { done: true };
    },
  }),
  operation({
    ...agentsWrite,
    name: 'me.set_signature',
    summary: 'Set one’s signature below replies by email',
    async run(ctx, choice) {
      await choose(ctx, choice);
      return { done: true };
    },
  }),
  operation({
    ...adminsWrite,
    name: 'site.update',
    audit: 'site',
    summary: 'Update the site’s settings',
    run: updateSite,
  }),
  operation({
    ...adminsWrite,
    name: 'sites.create',
    summary: 'Create another site and become its admin',
    run: createOwnSite,
  }),
  operation({
    ...adminsWrite,
    name: 'site.set_plan',
    audit: 'site',
    summary: 'Change the site’s plan, effective immediately',
    run: (ctx, { plan }) => setPlan(ctx, plan),
  }),
  operation({
    ...agentsRead,
    name: 'agents.list',
    summary: 'List agents and open invitations',
    async run(ctx) {
      const { plan } = await getSite(ctx.db, ctx.site.id);
      return {
        agents: await listAgents(ctx),
        invitations: await listInvitations(ctx),
        accepted_invitations: await listAcceptedInvitations(ctx),
        agent_limit: PLAN_LIMITS[plan].agents,
      };
    },
  }),
  operation({
    ...adminsWrite,
    name: 'agents.invite',
    audit: 'invitation',
    summary: 'Invite a new agent by a link, and by email if mail is set up',
    run: inviteAgent,
  }),
  operation({
    ...adminsWrite,
    name: 'agents.revoke_invitation',
    audit: 'invitation',
    summary: 'Revoke an invitation',
    records: { id: 'invitation' },
    run: (ctx, { id }) => revokeInvitation(ctx, id),
  }),
  operation({
    ...adminsWrite,
    name: 'agents.set_role',
    audit: 'agent',
    summary: 'Change the role of an agent',
    records: { id: 'agent', custom_role_id: 'role' },
    run: (ctx, { id, role, custom_role_id }) => setAgentRole(ctx, id, role, custom_role_id),
  }),
  operation({
    ...adminsWrite,
    name: 'agents.set_chat_limit',
    audit: 'agent',
    summary: 'Set how many active chats an agent is assigned automatically',
    records: { id: 'agent' },
    run: setLimit,
  }),
  operation({
    ...adminsWrite,
    name: 'agents.set_ticket_limit',
    audit: 'agent',
    summary: 'Set how many new and open tickets an agent is assigned automatically',
    records: { id: 'agent' },
    run: setLimit,
  }),
  operation({
    ...adminsWrite,
    name: 'agents.set_skills',
    audit: 'agent',
    summary: 'Set what an agent speaks and knows, by which routing chooses',
    records: { id: 'agent' },
    run: (ctx, input) => setSkills(ctx, input),
  }),
  operation({
    ...adminsWrite,
    name: 'agents.sign_out',
    audit: 'agent',
    summary: 'Sign an agent out on all devices',
    records: { id: 'agent' },
    async run(ctx, { id }) {
      await signOutAgent(ctx, id);
      return getAgent(ctx, id);
    },
  }),
  operation({
    name: 'agents.reset_two_factor',
    audit: 'agent',
    summary: 'Turn off two-factor sign-in for an agent who has lost their device',
    who: ['admin', 'operator'],
    scope: 'write',
    records: { id: 'agent' },
    async run(ctx, { id }) {
      await resetTwoFactor(ctx, id);
      return getAgent(ctx, id);
    },
  }),
  operation({
    ...adminsWrite,
    name: 'agents.remove_picture',
    audit: 'agent',
    summary: 'Remove an agent’s picture',
    records: { id: 'agent' },
    run: (ctx, { id }) => removePicture(ctx, id),
  }),
  operation({
    ...agentsRead,
    name: 'api_tokens.list',
    summary: 'List API tokens and browser tokens with their requests per day',
    run: listTokens,
  }),
  operation({
    ...adminsWrite,
    name: 'api_tokens.create',
    audit: 'api_token',
    summary: 'Create an API token; the raw token is returned once',
    run: createToken,
  }),
  operation({
    ...adminsWrite,
    name: 'api_tokens.update',
    audit: 'api_token',
    summary: 'Change the name, scopes, expiry or allowed addresses of an API token immediately',
    records: { id: 'api_token' },
    run: updateApiToken,
  }),
  operation({
    ...adminsWrite,
    name: 'api_tokens.revoke',
    audit: 'api_token',
    summary: 'Revoke an API token immediately',
    records: { id: 'api_token' },
    run: (ctx, { id }) => revokeToken(ctx, id),
  }),
  operation({
    ...adminsWrite,
    name: 'api_tokens.rotate',
    audit: 'api_token',
    summary: 'Rotate an API token; the old secret stops working immediately',
    records: { id: 'api_token' },
    run: (ctx, { id }) => rotateToken(ctx, id),
  }),
  operation({
    ...adminsWrite,
    name: 'browser_tokens.create',
    audit: 'api_token',
    summary:
      'Create a browser token, which may only write visitors and events; the raw token is returned once',
    run: createBrowserToken,
  }),
  operation({
    ...adminsWrite,
    name: 'browser_tokens.update',
    audit: 'api_token',
    summary: 'Update the allowed origins and the expiry of a browser token',
    records: { id: 'browser_token' },
    run: updateBrowserToken,
  }),
  operation({
    ...agentsRead,
    name: 'identity_secret.get',
    summary: 'Read whether the site verifies identities, and since when',
    run: findIdentitySecret,
  }),
  operation({
    ...adminsWrite,
    name: 'identity_secret.rotate',
    audit: 'site',
    summary: 'Create or rotate the identity secret; the old one is valid for another 24 hours',
    run: rotateIdentitySecret,
  }),
  operation({
    ...adminsWrite,
    name: 'identity_secret.remove',
    audit: 'site',
    summary: 'Turn off identity verification immediately',
    run: removeIdentitySecret,
  }),
];
