import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isVerified } from '../src/visitors/identity/identity-proof.ts';
import { readPage, sectionOf } from './doc-pages.ts';

// The snippets of docs/sdk.md, run unchanged in the languages that this machine has.

const SECRET = 'idsec_a secret with "quotes"';
const USER_ID = 'user_42';
const { blocks } = sectionOf(readPage('sdk.md'), 'Identity verification');
const snippetIn = (language: string): string =>
  blocks.find((block) => block.language === language)?.text ?? 'no such snippet';

const LANGUAGES = [
  {
    language: 'js',
    program: process.execPath,
    run: (code: string) => [
      '--input-type=commonjs',
      '-e',
      `const [secret, userId] = process.argv.slice(1); ${code}; console.log(userHash)`,
    ],
  },
  {
    language: 'python',
    program: 'python3',
    run: (code: string) => ['-c', `import sys\nsecret, user_id = sys.argv[1:]\n${code}\nprint(user_hash)`],
  },
  {
    language: 'php',
    program: 'php',
    run: (code: string) => ['-r', `[, $secret, $userId] = $argv; ${code} echo $userHash;`, '--'],
  },
  {
    language: 'ruby',
    program: 'ruby',
    run: (code: string) => ['-e', `secret, user_id = ARGV\n${code}\nputs user_hash`],
  },
];

const isHere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

describe.each(LANGUAGES)('the snippet in $language', ({ language, program, run }) => {
  test('is there', () => expect(snippetIn(language)).toMatch(/sha256/i));

  test.runIf(isHere(program))('makes the userHash that is believed', () => {
    const { stdout, stderr } = spawnSync(program, [...run(snippetIn(language)), SECRET, USER_ID], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.trim()).toBe(createHmac('sha256', SECRET).update(USER_ID).digest('hex'));
    expect(isVerified([SECRET], USER_ID, stdout.trim())).toBe(true);
  });
});
