import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a command of Foyer. @returns what it prints with `--json` */
export type Ask = <T>(...args: string[]) => Promise<T>;

/** The commands of a program, in an environment with its database. */
export const commandsOf =
  (program: string, environment: Record<string, string>): Ask =>
  async (...args) => {
    const env = { ...environment, PATH: process.env.PATH };
    const { stdout } = await run(process.execPath, [program, ...args, '--json'], { env });
    return JSON.parse(stdout);
  };

/** The admin of the site. */
export const ADMIN = { email: 'ada@faults.example', password: 'seven lanterns over quiet looms' };

export interface Furnished {
  publicKey: string;
  /** Creates a webhook for every message. */
  subscribe(url: string, hook: string): Promise<void>;
}

/** Creates a site with an admin. */
export async function furnish(ask: Ask): Promise<Furnished> {
  const site = await ask<{ id: number; public_key: string }>('site', 'create', '--name', 'Faults');
  const id = String(site.id);
  const { email, password } = ADMIN;
  const admin = ['--site', id, '--email', email, '--name', 'Ada', '--role', 'admin', '--password', password];
  await ask('user', 'create', ...admin);
  return {
    publicKey: site.public_key,
    async subscribe(url, hook) {
      const asked = ['--site', id, '--name', 'faults', '--scopes', 'read,write'];
      const { token } = await ask<{ token: string }>('token', 'create', ...asked);
      const made = await fetch(`${url}/v1/webhook_subscriptions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ url: hook, events: ['message_created'] }),
      });
      if (!made.ok) throw new Error(`no subscription: ${await made.text()}`);
    },
  };
}
