import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { newSecret, signaturesOf, signingKeyOf } from '../src/webhooks/sending/signature.ts';
import { blocksOf, readPage, sectionOf } from './doc-pages.ts';

const page = readPage('webhook-receivers.md');
const folder = mkdtempSync(join(tmpdir(), 'foyer-receivers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Language {
  name: string;
  /** The language of the code block. */
  fence: string;
  /** A command that tests whether it is on this machine. */
  probe: [command: string, ...args: string[]];
  /** Files to write, and what to run: it prints `true` or `false`. */
  files(code: string): Record<string, string>;
  run: [command: string, ...args: string[]];
}

const languages: Language[] = [
  {
    name: 'Node',
    fence: 'js',
    probe: [process.execPath, '--version'],
    files: (code) => ({
      'receiver.mjs': `${code}
import { readFileSync } from 'node:fs';
const { SIGNATURE, PREVIOUS, SECRET } = process.env;
console.log(isFromFoyer(readFileSync('body.json'), SIGNATURE, PREVIOUS, SECRET));`,
    }),
    run: [process.execPath, 'receiver.mjs'],
  },
  {
    name: 'Python',
    fence: 'python',
    probe: ['python3', '--version'],
    files: (code) => ({
      'receiver.py': `${code}
import os
body = open("body.json", "rb").read()
print(str(is_from_foyer(body, os.environ["SIGNATURE"], os.environ["PREVIOUS"], os.environ["SECRET"])).lower())`,
    }),
    run: ['python3', 'receiver.py'],
  },
  {
    name: 'Go',
    fence: 'go',
    probe: ['go', 'version'],
    files: (code) => ({
      'receiver.go': code,
      'main.go': `package main

import (
	"fmt"
	"os"
)

func main() {
	body, _ := os.ReadFile("body.json")
	fmt.Println(isFromFoyer(body, os.Getenv("SIGNATURE"), os.Getenv("PREVIOUS"), os.Getenv("SECRET")))
}`,
    }),
    run: ['go', 'run', 'receiver.go', 'main.go'],
  },
  {
    name: 'PHP',
    fence: 'php',
    probe: ['php', '--version'],
    files: (code) => ({
      'receiver.php': `${code}
$body = file_get_contents('body.json');
echo json_encode(is_from_foyer($body, getenv('SIGNATURE'), getenv('PREVIOUS'), getenv('SECRET')));`,
    }),
    run: ['php', 'receiver.php'],
  },
  {
    name: 'Shell',
    fence: 'sh',
    probe: ['openssl', 'version'],
    files: (code) => ({
      'receiver.sh': `${code}
is_from_foyer body.json "$SIGNATURE" "$PREVIOUS" "$SECRET" && echo true || echo false`,
    }),
    run: ['sh', 'receiver.sh'],
  },
];

const isHere = ({ probe: [command, ...args] }: Language): boolean => spawnSync(command, args).status === 0;
const here = languages.filter(isHere);
const missing = languages.filter((language) => !here.includes(language));

const secret = newSecret();
const text = JSON.stringify({ id: 'evt_1', event: 'handoff', summary: 'Grüße 👋\u2028"<b>' });
const signed = signaturesOf({
  deliveryId: 'dlv_1',
  at: new Date(),
  body: Buffer.from(text),
  key: signingKeyOf(secret),
  previousKey: signingKeyOf(newSecret()),
});
const sample = () => {
  const block = blocksOf(page).find(({ language }) => language === 'text')?.text ?? '';
  const [key = '', body = '', signature = ''] = block.split('\n').map((line) => line.replace(/^\w+\s+/, ''));
  return { key, body, signature };
};

describe.each(here.map((language) => [language.name, language] as const))(
  'the receiver in %s',
  (name, language) => {
    const code = sectionOf(page, name).blocks.find((block) => block.language === language.fence)?.text ?? '';
    for (const [file, content] of Object.entries(language.files(code)))
      writeFileSync(join(folder, file), content);

    function verdict(body: string, signature: string, previous = '', key = secret): string {
      writeFileSync(join(folder, 'body.json'), body);
      const [command, ...args] = language.run;
      const env = { ...process.env, SIGNATURE: signature, PREVIOUS: previous, SECRET: key };
      const { stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
      return stdout.trim() || stderr;
    }

    it('takes what Foyer signs, and what it signed with the secret before a rotation', () => {
      expect(verdict(text, signed.service)).toBe('true');
      expect(verdict(text, 'sha256=00', signed.service)).toBe('true');
      const { key, body, signature } = sample();
      expect(verdict(body, signature, '', key)).toBe('true');
    });

    it('refuses another body, another secret, another signature and none', () => {
      expect(verdict(`${text} `, signed.service)).toBe('false');
      expect(verdict(text, signed.service, '', newSecret())).toBe('false');
      expect(verdict(text, `${signed.service.slice(0, -1)}${signed.service.endsWith('0') ? '1' : '0'}`)).toBe(
        'false',
      );
      expect(verdict(text, '')).toBe('false');
    });
  },
);

it(`ran the receivers in ${here.map(({ name }) => name).join(', ')}${
  missing.length > 0
    ? `; NOT RUN, as they are not on this machine: ${missing.map(({ name }) => name).join(', ')}`
    : ''
}`, () => {
  for (const { name, probe } of missing)
    console.warn(`docs/webhook-receivers.md: ${name} was not run, "${probe[0]}" is not on this machine`);
  expect(here.map(({ name }) => name)).toContain('Node');
  expect([...page.matchAll(/^## (Node|Python|Go|PHP|Shell)$/gm)]).toHaveLength(languages.length);
});
