import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { variablesRead } from './variables-read.ts';

// What is in deploy/ names settings, ports and paths of Foyer. Docker and Helm aren't needed to check that they exist.

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const known = variablesRead();
const unknown = (names: readonly string[]): string[] => names.filter((name) => !known.has(name));
/** A process that drains still needs 10 seconds to stop. */
const STOP_S = 10;
const port = /^EXPOSE (\d+)$/m.exec(read('Dockerfile'))?.[1];
const paths = [
  ...read('packages/server/src/http/health.ts').matchAll(/server\.get\('(\/\w+)'/g),
  ...read('packages/server/src/http/metrics/metrics.ts').matchAll(/server\.get\('(\/\w+)'/g),
].map(([, path]) => path);

interface Service {
  environment: Record<string, string>;
  stop_grace_period: string;
  volumes: string[];
}

describe('deploy/compose/three-nodes.yml', () => {
  const { services, volumes } = parse(read('deploy/compose/three-nodes.yml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  const caddyfile = read('deploy/compose/Caddyfile');
  const nodes = Object.entries(services).filter(([name]) => /^foyer-\d$/.test(name));

  it('gives three processes settings that Foyer reads, and each its own data folder', () => {
    expect(nodes).toHaveLength(3);
    for (const [, { environment }] of nodes) expect(unknown(Object.keys(environment))).toEqual([]);
    expect(Object.keys(nodes[0]?.[1].environment ?? {})).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'FOYER_SECRET', 'FOYER_BASE_URL', 'FOYER_TRUST_PROXY']),
    );
    const folders = nodes.flatMap(([, node]) => node.volumes.map((volume) => volume.split(':')[0] ?? ''));
    expect(new Set(folders).size).toBe(3);
    for (const folder of folders) expect(Object.keys(volumes)).toContain(folder);
  });

  it('waits for a process that drains', () => {
    for (const [, { environment, stop_grace_period }] of nodes)
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThanOrEqual(
        Number(environment.FOYER_DRAIN_S) + STOP_S,
      );
  });

  it('balances over all of them, by their readiness', () => {
    const upstreams = /reverse_proxy (.*) \{/.exec(caddyfile)?.[1]?.split(' ');
    expect(upstreams).toEqual(nodes.map(([name]) => `${name}:${port}`));
    for (const [, path] of caddyfile.matchAll(/(?:health_uri|respond) (\/\w+)/g))
      expect(paths).toContain(path);
    expect(caddyfile).not.toMatch(/lb_policy (?!round_robin)/);
  });
});

describe('deploy/helm/foyer', () => {
  const CHART = 'deploy/helm/foyer/';
  const templates = readdirSync(new URL(`${CHART}templates`, ROOT)).map((name) => ({
    name,
    text: read(`${CHART}templates/${name}`),
  }));
  const values = parse(read(`${CHART}values.yaml`));
  const validate = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(read(`${CHART}values.schema.json`)));
  const set = { ...values, baseUrl: 'https://chat.example.com', image: { repository: 'r/foyer' } };

  it('has a schema that accepts the defaults once image and address are set, and refuses unknown values', () => {
    expect(validate(set), JSON.stringify(validate.errors)).toBe(true);
    for (const wrong of [
      values,
      { ...set, replicas: 3 },
      { ...set, secret: 'short' },
      { ...set, drainSeconds: -1 },
      { ...set, web: { ...set.web, replica: 2 } },
    ])
      expect(validate(wrong)).toBe(false);
  });

  it('reads only existing values', () => {
    for (const { name, text } of templates)
      for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
        const found = path.split('.').reduce((at, key) => at?.[key], values);
        expect(found, `${name}: ${path}`).toBeDefined();
      }
  });

  it('names settings that Foyer reads, and paths and ports that it has', () => {
    const all = templates.map(({ text }) => text).join('\n');
    expect(unknown([...all.matchAll(/^ *- name: ([A-Z_]+)$/gm)].map(([, name = '']) => name))).toEqual([]);
    const probed = [...all.matchAll(/path: (\/\w+)/g)].map(([, path]) => path);
    expect(new Set(probed)).toEqual(new Set(['/healthz', '/readyz', '/metrics']));
    for (const path of probed) expect(paths).toContain(path);
    expect(/containerPort: (\d+)/.exec(all)?.[1]).toBe(port);
    const grace = /terminationGracePeriodSeconds: \{\{ add \$root\.Values\.drainSeconds (\d+) \}\}/.exec(
      all,
    )?.[1];
    expect(Number(grace)).toBeGreaterThanOrEqual(STOP_S);
  });

  it('is YAML around its placeholders', () => {
    for (const { name, text } of templates) {
      const plain = text
        .replace(/\{\{\/\*[\s\S]*?\*\/\}\}/g, '')
        .replace(/^\s*\{\{[^}]*\}\}\s*$/gm, '')
        .replace(/\{\{[^}]*\}\}/g, 'x');
      for (const document of name.endsWith('.tpl') ? [] : parseAllDocuments(plain))
        expect(document.errors, name).toEqual([]);
    }
  });
});
