/**
 * Writes the files of a release to `release/`: the sources of HEAD, their bill of materials, and SHA256SUMS, signed
 * with an Ed25519 key: `npm run release -- --key KEY.pem`. A new key: `openssl genpkey -algorithm ed25519`.
 */
import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { key } = parseArgs({ options: { key: { type: 'string' } } }).values;
if (key === undefined) throw new Error('Name the key that signs the release: --key KEY.pem');
const privateKey = createPrivateKey(readFileSync(key));
if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error(`${key} is not an Ed25519 key.`);
if (execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }) !== '')
  throw new Error('There are changes that are not committed: they would be missing in the release.');

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const name = `foyer-${version}`;
mkdirSync('release', { recursive: true });
const LARGE = { maxBuffer: 1024 ** 3 };
const files = {
  [`${name}.tar.gz`]: execFileSync('git', ['archive', '--format=tar.gz', `--prefix=${name}/`, 'HEAD'], LARGE),
  [`${name}.cdx.json`]: execFileSync('npm', ['run', '-s', 'sbom'], LARGE),
};
const sums = Object.entries(files)
  .map(([file, content]) => `${createHash('sha256').update(content).digest('hex')}  ${file}\n`)
  .join('');
const written = {
  ...files,
  SHA256SUMS: sums,
  'SHA256SUMS.sig': sign(null, Buffer.from(sums), privateKey),
  'release.pub': createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }),
};
for (const [file, content] of Object.entries(written)) {
  writeFileSync(`release/${file}`, content);
  console.log(`release/${file}`);
}
