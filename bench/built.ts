import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = join(import.meta.dirname, '..', 'packages');

const newest = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .reduce((time, entry) => Math.max(time, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

/** @throws unless the package's `dist` was built from its current sources: otherwise an older one would be measured */
export function requireBuilt(name: 'sdk' | 'widget' | 'dashboard'): void {
  const [dist, sources] = [join(PACKAGES, name, 'dist'), join(PACKAGES, name, 'src')];
  if (!existsSync(dist) || newest(dist) < newest(sources))
    throw new Error(`${name} was not built since it was changed: npm run build`);
}
