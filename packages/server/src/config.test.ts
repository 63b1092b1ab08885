import { describe, expect, it } from 'vitest';
import { StartError } from './base/start-error.ts';
import { readConfig } from './config.ts';

describe('the environment', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      role: 'all',
      queryToken: true,
      plan: 'growth',
      trustProxy: undefined,
      webhooks: { allowPrivate: false, delaysMs: [30_000, 120_000, 600_000, 3_600_000, 21_600_000] },
    });
  });

  it('is read once and doesn’t change', () => {
    const config = readConfig({ PORT: '8080', FOYER_BASE_URL: 'https://chat.example.com/' });
    expect(config.baseUrl).toBe('https://chat.example.com');
    expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['FOYER_ROLE', 'everything'],
    ['LOG_LEVEL', 'loud'],
    ['FOYER_PLAN', 'gold'],
    ['FOYER_QUERY_TOKEN', 'maybe'],
    ['FOYER_METRICS_TOKEN', 'short'],
    ['FOYER_METRICS_TOKEN', 'two words that are long'],
    ['FOYER_MCP_ORIGINS', 'https://a.example/path'],
    ['FOYER_MCP_ORIGINS', '*'],
    ['FOYER_WEBHOOK_ALLOW_PRIVATE', 'yes please'],
    ['FOYER_WEBHOOK_DELAYS', '30s,soon'],
    ['FOYER_BASE_URL', 'chat.example.com'],
    ['FOYER_BASE_URL', 'ftp://chat.example.com'],
    ['DATABASE_URL', 'mysql://localhost/foyer'],
    ['DATABASE_DIRECT_URL', 'mysql://localhost/foyer'],
    ['DATABASE_DIRECT_URL', 'postgres://localhost/foyer'],
    ['DATABASE_REPLICA_URL', 'mysql://localhost/foyer'],
    ['DATABASE_REPLICA_URL', 'postgres://localhost/foyer'],
    ['FOYER_REPLICA_MAX_LAG_S', '1'],
    ['FOYER_DATABASE_REPLICA_POOL', '0'],
    ['FOYER_DATABASE_POOL', '1'],
    ['FOYER_DATABASE_JOBS_POOL', '0'],
    ['FOYER_DATABASE_PREPARED', 'sometimes'],
    ['FOYER_STATEMENT_TIMEOUT_MS', '7s'],
    ['FOYER_SECRET', 'too short'],
    ['FOYER_TRUST_PROXY', 'foo'],
    ['FOYER_TRUST_PROXY', 'true'],
    ['FOYER_TRUST_PROXY', '10.0.0.0/99'],
    ['REDIS_URL', 'http://localhost'],
    ['REDIS_URL', 'redis://one,two'],
    ['REDIS_URL', 'redis://localhost:99999'],
    ['REDIS_URL', 'redis://localhost/db'],
    ['REDIS_URL', 'redis+sentinel://localhost'],
    ['REDIS_URL', 'redis+cluster://localhost/1'],
    ['REDIS_URL', 'redis://localhost?tls=true'],
    ['SMTP_URL', 'mail.example.com'],
    ['FOYER_MAIL_FROM', 'nobody'],
  ])('with a bad %s (%s) stops the start with one line that names it', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(StartError);
    expect(read).toThrow(name);
    expect(read).not.toThrow(/\n/);
  });

  it.each(['127.0.0.1', 'loopback', '10.0.0.0/8, fd00::/8', '::1'])(
    'accepts %s as a trusted proxy',
    (value) => {
      expect(readConfig({ FOYER_TRUST_PROXY: value }).trustProxy).toBe(value);
    },
  );

  it('does not repeat a password in an address', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://me:hunter2@db/foyer' })).toThrow(/^(?!.*hunter2)/);
  });
});
