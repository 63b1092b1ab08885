import { scryptSync } from 'node:crypto';
import type { Agent } from '@foyer/protocol';
import type { SiteContext } from '../src/core/context.ts';
import { addAgent } from '../src/sites/agents/agents.ts';
import { storeAccount } from '../src/sites/sign-in/accounts.ts';

/** The password of every test account without one of its own. */
export const PASSWORD = 'correct horse battery';

/**
 * A hash in the product's format with the smallest parameters: with the product's own, each sign-in of a test takes a
 * fifth of a second of CPU time.
 */
function quickHash(password: string): string {
  const salt = 'tests';
  return `scrypt:4:8:1:${salt}:${scryptSync(password, salt, 64, { N: 2 ** 4, r: 8, p: 1 }).toString('hex')}`;
}

const PASSWORD_HASH = quickHash(PASSWORD);

/** Adds an agent who signs in with `PASSWORD`. */
export async function makeAgent(
  operator: SiteContext,
  person: Omit<Parameters<typeof addAgent>[1], 'password'> & { email: string; name: string },
): Promise<Agent> {
  const { name } = person;
  const email = person.email.toLowerCase();
  await storeAccount(operator.db, { kind: 'new', email, name, passwordHash: PASSWORD_HASH });
  return addAgent(operator, person);
}
