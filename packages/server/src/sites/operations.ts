import { PLAN_LIMITS } from '@foyer/protocol';
import { AppError } from '../base/errors.ts';
import { agentActor } from '../core/actor.ts';
import { type AnyOperation, adminsWrite, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { getAgent, listAgents, listSitesOfUser, setAgentRole, userOfAgent } from './agents/agents.ts';
import { choicesOf, chooseLanguage } from './agents/choices.ts';
import { removePicture, setLogo, setOwnPicture } from './agents/faces.ts';
import { inviteAgent, listInvitations, revokeInvitation } from './agents/invitations.ts';
import { choosePresence, setChatLimit } from './agents/presence.ts';
import { getFirstSteps, putFirstStepsAway } from './first-steps.ts';
import { findIdentitySecret, removeIdentitySecret, rotateIdentitySecret } from './identity-secret.ts';
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
  updateBrowserToken,
} from './tokens/api-tokens.ts';
import { getUsage, getUsageDays } from './usage.ts';

export const siteOperations: AnyOperation[] = [
  operation({
    name: 'whoami.get',
    summary: 'The calling token: its site, its scopes, and how often it was used',
    who: ['token'],
    scope: 'read',
    rest: { resource: 'whoami', method: 'GET' },
    tool: {
      name: 'whoami',
      description: 'What this token may do (`scopes`), which site it belongs to, and how often it was used.',
    },
    async run({ site, actor }) {
      if (actor.kind !== 'token') throw new AppError('unauthorized', 'whoami is about an API token.');
      return { site_id: site.id, scopes: scopesOf(actor.canWrite), request_count: actor.requestCount };
    },
  }),
  operation({
    name: 'usage.get',
    summary: 'AI replies served and bot tokens consumed in the current billing cycle',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'usage', method: 'GET' },
    tool: {
      name: 'get_usage',
      description:
        'The plan, and what the current billing cycle has used of it: AI replies, bot tokens, agents.',
    },
    run: getUsage,
  }),
  operation({
    ...agentsRead,
    name: 'usage.days',
    summary:
      'What each of the last 30 days has used: replies and tokens of the bot, requests of all API tokens',
    run: getUsageDays,
  }),
  operation({
    ...agentsRead,
    name: 'usage.storage',
    summary: 'What each kind of data takes, about',
    run: storageOf,
  }),
  operation({
    ...agentsRead,
    name: 'me.get',
    summary: 'The signed-in agent, the site, and the other sites of the same person',
    beforeTwoFactor: true,
    async run(ctx) {
      const { agentId } = agentActor(ctx);
      return {
        agent: await getAgent(ctx, agentId),
        ...(await choicesOf(ctx, agentId)),
        site: presentSite(await getSite(ctx.db, ctx.site.id)),
        base_url: ctx.services.address.url,
        sites: await listSitesOfUser(ctx.db, await userOfAgent(ctx, agentId)),
      };
    },
  }),
  operation({
    ...agentsRead,
    name: 'first_steps.get',
    summary: 'What a new admin or agent does first, and what of it is done',
    run: getFirstSteps,
  }),
  operation({
    ...agentsWrite,
    name: 'first_steps.put_away',
    summary: 'Puts one’s own list of first steps away, or brings it back',
    async run(ctx, { put_away }) {
      await putFirstStepsAway(ctx, put_away);
      return { done: true };
    },
  }),
  operation({
    ...agentsWrite,
    name: 'me.set_presence',
    summary: 'Says whether one is online, away or invisible while the desk is open',
    async run(ctx, { presence }) {
      await choosePresence(ctx, presence);
      return { done: true };
    },
  }),
  operation({
    ...agentsWrite,
    name: 'me.set_picture',
    summary: 'Sets the picture that visitors and the team see of one, or takes it away',
    run: (ctx, { content }) => setOwnPicture(ctx, content),
  }),
  operation({
    ...adminsWrite,
    name: 'site.set_logo',
    audit: 'site',
    summary: 'Sets the logo of the site, or takes it away',
    run: (ctx, { content }) => setLogo(ctx, content),
  }),
  operation({
    ...agentsWrite,
    name: 'me.set_language',
    summary: 'Says in which language the dashboard speaks to one',
    async run(ctx, { language }) {
      await chooseLanguage(ctx, language);
      return { done: true };
    },
  }),
  operation({
    ...adminsWrite,
    name: 'site.update',
    audit: 'site',
    summary: 'Changes the settings of the site',
    run: updateSite,
  }),
  operation({
    ...adminsWrite,
    name: 'site.set_plan',
    audit: 'site',
    summary: 'Changes the plan of the site, at once: the installation is its owner’s own',
    run: (ctx, { plan }) => setPlan(ctx, plan),
  }),
  operation({
    ...agentsRead,
    name: 'agents.list',
    summary: 'The agents of the site, and the invitations that are open',
    async run(ctx) {
      const { plan } = await getSite(ctx.db, ctx.site.id);
      return {
        agents: await listAgents(ctx),
        invitations: await listInvitations(ctx),
        agent_limit: PLAN_LIMITS[plan].agents,
      };
    },
  }),
  operation({
    ...adminsWrite,
    name: 'agents.invite',
    audit: 'invitation',
    summary: 'Makes a link by which a person becomes an agent',
    run: inviteAgent,
  }),
  operation({
    ...adminsWrite,
    name: 'agents.revoke_invitation',
    audit: 'invitation',
    summary: 'Ends an invitation that nobody has accepted',
    records: { id: 'invitation' },
    run: (ctx, { id }) => revokeInvitation(ctx, id),
  }),
  operation({
    ...adminsWrite,
    name: 'agents.set_role',
    audit: 'agent',
    summary: 'Makes an agent an admin, or an admin an agent',
    records: { id: 'agent' },
    run: (ctx, { id, role }) => setAgentRole(ctx, id, role),
  }),
  operation({
    ...adminsWrite,
    name: 'agents.set_chat_limit',
    audit: 'agent',
    summary: 'Sets how many active chats an agent is given by themselves',
    records: { id: 'agent' },
    run: (ctx, { id, chat_limit }) => setChatLimit(ctx, id, chat_limit),
  }),
  operation({
    name: 'agents.reset_two_factor',
    audit: 'agent',
    summary: 'Lets an agent who has lost their device sign in with the password alone',
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
    summary: 'Takes an agent’s picture away',
    records: { id: 'agent' },
    run: (ctx, { id }) => removePicture(ctx, id),
  }),
  operation({
    ...agentsRead,
    name: 'api_tokens.list',
    summary: 'The API tokens and browser tokens of the site with their requests a day',
    run: listTokens,
  }),
  operation({
    ...adminsWrite,
    name: 'api_tokens.create',
    audit: 'api_token',
    summary: 'Makes an API token; the raw token is answered once',
    run: createToken,
  }),
  operation({
    ...adminsWrite,
    name: 'api_tokens.revoke',
    audit: 'api_token',
    summary: 'Ends an API token at once',
    records: { id: 'api_token' },
    run: (ctx, { id }) => revokeToken(ctx, id),
  }),
  operation({
    ...adminsWrite,
    name: 'api_tokens.rotate',
    audit: 'api_token',
    summary: 'Gives an API token a new secret; the old one ends at once',
    records: { id: 'api_token' },
    run: (ctx, { id }) => rotateToken(ctx, id),
  }),
  operation({
    ...adminsWrite,
    name: 'browser_tokens.create',
    audit: 'api_token',
    summary:
      'Makes a token for pages, which may only write visitors and events; the raw token is answered once',
    run: createBrowserToken,
  }),
  operation({
    ...adminsWrite,
    name: 'browser_tokens.update',
    audit: 'api_token',
    summary: 'Changes the origins whose pages may use a browser token',
    records: { id: 'browser_token' },
    run: updateBrowserToken,
  }),
  operation({
    ...agentsRead,
    name: 'identity_secret.get',
    summary: 'Whether the site verifies identities, and since when',
    run: findIdentitySecret,
  }),
  operation({
    ...adminsWrite,
    name: 'identity_secret.rotate',
    audit: 'site',
    summary: 'Makes the secret that proves identities, or a new one; the old one proves for 24 hours more',
    run: rotateIdentitySecret,
  }),
  operation({
    ...adminsWrite,
    name: 'identity_secret.remove',
    audit: 'site',
    summary: 'Ends the verification of identities at once',
    run: removeIdentitySecret,
  }),
];
