import type { SignInRefusal } from '@foyer/protocol/values/sign-in/single-sign-on';
import type { FastifyInstance } from 'fastify';
import type { JobData } from '../core/job-data.ts';
import type { Db } from '../db/database.ts';
import { registerScimRoutes } from '../http/scim/scim-routes.ts';
import { registerAuthRoutes } from '../http/sign-in/auth-routes.ts';
import { registerPasswordRoutes } from '../http/sign-in/password-routes.ts';
import { registerPreAuthRoutes } from '../http/sign-in/pre-auth-routes.ts';
import { type RefusedSignIn, registerProviderRoutes } from '../http/sign-in/provider-routes.ts';
import { importSampleDrafts } from '../knowledge/sample.ts';
import { canMailLinks } from '../mail/password-mail.ts';
import { findAgentOfUser, listSitesOfUser } from '../sites/agents/agents.ts';
import { findAccount } from '../sites/sign-in/accounts.ts';
import {
  createFailedSignIns,
  type FailedSignIns,
  type SignInFailure,
} from '../sites/sign-in/failed-sign-ins.ts';
import { findByScimToken, noteScimUse } from '../team/provisioning/tokens.ts';
import type { Callers } from './callers.ts';
import type { Parts } from './parts.ts';

/** What the owner of an account gets a mail about. */
const MAILED = new Map<string, JobData<'mail.password'>['about']>([
  ['sign_in.password_changed', 'changed'],
  ['sign_in.passkey_added', 'passkey_added'],
  ['sign_in.passkey_removed', 'passkey_removed'],
]);

/**
 * Sign-in, setup and invitations, connected to their domain. Each site's audit log records what an account does.
 */
export function registerSignIn(server: FastifyInstance, parts: Parts, { contextFor }: Callers): void {
  const { config, log, now, limits, database, auth, services, address } = parts;
  const failures = auditFailures(parts);
  server.addHook('onClose', () => failures.stop());
  registerAuthRoutes(server, auth, {
    limits,
    derive: services.derivedToken,
    noteFailure(email, failure, address) {
      // Not awaited: the response time must not reveal whether the account exists.
      void findAccount(database.db, email)
        .then((account) => account && failures.note(account.userId, failure, address))
        .catch((error) => log.warn({ err: error }, 'recording a failed sign-in failed'));
    },
    async refusesPassword(email) {
      const { db } = database;
      const userId = (await findAccount(db, email))?.userId;
      if (userId === undefined || !(await findAgentOfUser(db, userId))) return false;
      return (await findAgentOfUser(db, userId, undefined, { provider: undefined })) === undefined;
    },
    async note(userId, action, address) {
      await auditAccount(parts, userId, action, address);
      const about = MAILED.get(action);
      if (about) await queuePasswordMail(parts, userId, about);
    },
  });
  registerProviders(server, parts, contextFor);
  registerProvisioning(server, parts, contextFor);
  registerPasswordRoutes(server, {
    auth,
    db: database.db,
    now,
    limits,
    canMailLinks: () => canMailLinks(database.db, services.mailer),
    async mailLink(email) {
      const account = await findAccount(database.db, email);
      if (account) await queuePasswordMail(parts, account.userId, 'link');
    },
    async onReset(userId, address) {
      await auditAccount(parts, userId, 'sign_in.password_reset', address);
      await queuePasswordMail(parts, userId, 'changed');
    },
  });
  registerPreAuthRoutes(server, {
    auth,
    db: database.db,
    plan: config.plan,
    address,
    now,
    limits,
    contextFor,
    importSample: (tx, site) => importSampleDrafts(parts.contextFor(site, { kind: 'operator' }, { db: tx })),
  });
}

/** Sign-in with the identity providers of sites, whose audit logs record it. */
function registerProviders(server: FastifyInstance, parts: Parts, contextFor: Callers['contextFor']): void {
  const { limits, database, auth } = parts;
  const refusals = auditRefusals(parts);
  server.addHook('onClose', () => refusals.stop());
  registerProviderRoutes(server, {
    auth,
    db: database.db,
    limits,
    async contextOf(siteId, request) {
      const site = await parts.sites.byId(siteId);
      return site && contextFor({ id: site.id, plan: site.plan }, { kind: 'job' }, request);
    },
    async noteSignIn(ctx, { agentId, name, role }, provider) {
      const actor = { kind: 'agent', agentId, name, role } as const;
      const audit = { subject: 'sign_in', subjectId: agentId, action: 'sign_in.provider' } as const;
      await ctx.as(actor).emit({ audit: { ...audit, changes: { provider: [null, provider.name] } } });
    },
    noteRefusal: refusals.note,
  });
}

/** Agents are created and removed by the identity providers of sites. */
function registerProvisioning(
  server: FastifyInstance,
  parts: Parts,
  contextFor: Callers['contextFor'],
): void {
  const { database, limits, now, sites } = parts;
  registerScimRoutes(server, {
    limits,
    async callerOf(token, request) {
      const provider = await findByScimToken(database.db, token);
      const site = provider && (await sites.byId(provider.site_id));
      if (!provider || !site) return undefined;
      await noteScimUse({ db: database.db, now }, provider);
      return { provider, ctx: contextFor({ id: site.id, plan: site.plan }, { kind: 'job' }, request) };
    },
  });
}

/** Records what a person did with their account in the audit log of each of their sites. */
async function auditAccount(parts: Parts, userId: string, action: string, address: string): Promise<void> {
  for await (const { site, actor } of agentsOfUser(parts.database.db, userId)) {
    const audit = { subject: 'sign_in', subjectId: actor.agentId, action } as const;
    await parts.contextFor(site, actor, { address }).emit({ audit });
  }
}

/** One mail per person, however many sites they work for; none for people who have left. */
async function queuePasswordMail(
  { database: { db }, contextFor }: Parts,
  userId: string,
  about: JobData<'mail.password'>['about'],
): Promise<void> {
  const agent = await findAgentOfUser(db, userId);
  if (!agent) return;
  const ctx = contextFor(agent.site, { kind: 'job' });
  await ctx.enqueue('mail.password', { user_id: userId, about }, { key: `${userId} ${about}` });
}

/** Records failed sign-ins in the audit log of each site of the account. */
const auditFailures = ({ database, log, contextFor }: Parts): FailedSignIns<string, SignInFailure> =>
  createFailedSignIns({
    log,
    async tell(userId, failure, address, count) {
      for await (const { site, actor } of agentsOfUser(database.db, userId)) {
        const subject = { subject: 'sign_in', subjectId: actor.agentId, label: actor.name } as const;
        await contextFor(site, { kind: 'job' }, { address }).emit({
          audit: { ...subject, action: `sign_in.${failure}`, changes: { attempts: [null, count] } },
        });
      }
    },
  });

/** Records refused sign-ins with an identity provider in the audit log of its site. */
const auditRefusals = ({ sites, log, contextFor }: Parts): FailedSignIns<RefusedSignIn, SignInRefusal> =>
  createFailedSignIns({
    log,
    async tell({ siteId, providerId, provider, email, detail }, reason, address, count) {
      const site = await sites.byId(siteId);
      if (!site) return;
      const known = { email, detail, reason, attempts: count };
      const changes = Object.fromEntries(
        Object.entries(known)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => [name, [null, value] as const]),
      );
      const ctx = contextFor({ id: site.id, plan: site.plan }, { kind: 'job' }, { address });
      const audit = { subject: 'identity_provider', subjectId: providerId, label: provider } as const;
      await ctx.emit({ audit: { ...audit, action: 'identity_providers.refused', changes } });
    },
  });

/** The agents of an account, one per site. */
async function* agentsOfUser(db: Db, userId: string) {
  for (const { id } of await listSitesOfUser(db, userId)) {
    const agent = await findAgentOfUser(db, userId, id);
    if (agent) yield agent;
  }
}
