import type { Agent } from '@foyer/protocol';
import type { SiteContext } from '../src/core/context.ts';
import { addAgent } from '../src/sites/agents/agents.ts';
import { prepareAccount, storeAccount } from '../src/sites/sign-in/accounts.ts';

/** Of every account that a test makes without giving another. */
export const PASSWORD = 'correct horse battery';

let hash: Promise<string> | undefined;

/** Hashed once for all accounts of this process: each hash takes 90 ms of CPU time, by design. */
function passwordHash({ db }: SiteContext): Promise<string> {
  hash ??= prepareAccount(db, { email: 'nobody@example.com', name: 'Nobody', password: PASSWORD }).then(
    (account) => {
      if (account.kind !== 'new') throw new Error('this address must not have an account');
      return account.passwordHash;
    },
  );
  return hash;
}

/** Adds an agent who signs in with `PASSWORD`. */
export async function makeAgent(
  operator: SiteContext,
  person: Omit<Parameters<typeof addAgent>[1], 'password'> & { email: string; name: string },
): Promise<Agent> {
  const { email, name } = person;
  await storeAccount(operator.db, { kind: 'new', email, name, passwordHash: await passwordHash(operator) });
  return addAgent(operator, person);
}
