/**
 * Third-party packages in Foyer: `npm run dependencies` lists each with its licence, and exits with 1 if a licence
 * isn't allowed; `-- --age` asks the registry for the age of each version. `npm run sbom` writes the same as CycloneDX.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface Dependency {
  name: string;
  version: string;
  /** An SPDX expression. */
  licence: string;
  hasIntegrity: boolean;
}

interface Locked {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  link?: boolean;
}

/** Licences that allow distributing Foyer, changed or not, and linking by programs with other licences. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'PSF-2.0',
  'Zlib',
]);

/** Of "A OR B" one must be allowed, of "A AND B" all. */
export const isAllowed = (licence: string): boolean =>
  licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => ALLOWED.has(one)));

/** The packages that the lockfile installs for users, by name. */
export function shippedDependencies(lockfile: URL): Dependency[] {
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, Locked> };
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version = '', license = 'none', integrity }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      hasIntegrity: integrity !== undefined,
    }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}

/** The day on which this version was published, and the newest version. */
function ageOf({ name, version }: Dependency): string {
  const answer = execFileSync('npm', ['view', name, 'time', 'version', '--json'], { encoding: 'utf8' });
  const { time, version: newest } = JSON.parse(answer) as { time: Record<string, string>; version: string };
  return `${time[version]?.slice(0, 10) ?? 'unknown'}${newest === version ? '' : `, newest ${newest}`}`;
}

function print(): void {
  const dependencies = shippedDependencies(new URL('../package-lock.json', import.meta.url));
  const withAge = process.argv.includes('--age');
  for (const dependency of dependencies) {
    const { name, version, licence } = dependency;
    console.log([name, version, licence, ...(withAge ? [ageOf(dependency)] : [])].join('\t'));
  }
  const refused = dependencies.filter(({ licence }) => !isAllowed(licence));
  for (const { name, licence } of refused) console.error(`${name}: the licence ${licence} isn't allowed`);
  if (refused.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print();
