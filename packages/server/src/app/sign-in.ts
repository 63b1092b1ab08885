import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/database.ts';
import { registerAuthRoutes } from '../http/sign-in/auth-routes.ts';
import { registerPreAuthRoutes } from '../http/sign-in/pre-auth-routes.ts';
import { importSampleDrafts } from '../knowledge/sample.ts';
import { findAgentOfUser, listSitesOfUser } from '../sites/agents/agents.ts';
import { findAccount } from '../sites/sign-in/accounts.ts';
import { createFailedSignIns, type FailedSignIns } from '../sites/sign-in/failed-sign-ins.ts';
import type { Callers } from './callers.ts';
import type { Parts } from './parts.ts';

/** Sign-in, set-up and invitations, connected to their domain; each site's audit log records what an account does. */
export function registerSignIn(server: FastifyInstance, parts: Parts, { contextFor }: Callers): void {
  const { config, log, now, database, auth, services, address } = parts;
  const failures = auditFailures(parts);
  server.addHook('onClose', () => failures.stop());
  registerAuthRoutes(server, auth, {
    now,
    derive: services.derivedToken,
    noteFailure(email, failure, address) {
      // Not awaited: how long the answer takes must not tell whether the account exists.
      void findAccount(database.db, email)
        .then((account) => account && failures.note(account.userId, failure, address))
        .catch((error) => log.warn({ err: error }, 'recording a failed sign-in failed'));
    },
    async note(userId, action, address) {
      for await (const { site, actor } of agentsOfUser(database.db, userId)) {
        const audit = { subject: 'sign_in', subjectId: actor.agentId, action } as const;
        await parts.contextFor(site, actor, { address }).emit({ audit });
      }
    },
  });
  registerPreAuthRoutes(server, {
    auth,
    db: database.db,
    plan: config.plan,
    address,
    now,
    contextFor,
    importSample: (tx, site) => importSampleDrafts(parts.contextFor(site, { kind: 'operator' }, { db: tx })),
  });
}

/** Records failed sign-ins to an account in the audit log of each site that the account works for. */
const auditFailures = ({ database, log, contextFor }: Parts): FailedSignIns =>
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

/** The agents that an account is, one per site. */
async function* agentsOfUser(db: Db, userId: string) {
  for (const { id } of await listSitesOfUser(db, userId)) {
    const agent = await findAgentOfUser(db, userId, id);
    if (agent) yield agent;
  }
}
