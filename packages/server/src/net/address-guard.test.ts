import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { addressProblem, checkUrl, guardedLookup, isPublicAddress } from './address-guard.ts';
import type { Resolve } from './resolve-name.ts';

const STRICT = { allowPrivate: false };

const REFUSED_URLS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://127.255.255.254:8080/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.1.2.3/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://0xa000001/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://192.168.257/',
  'http://169.254.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xA9FEA9FE/',
  'http://168.63.129.16/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://100.127.255.255/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.7/',
  'http://203.0.113.7/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[2001:db8::1]/',
  'http://[2001:10::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[4000::1]/',
  'http://localhost/',
  'http://LOCALHOST:3000/',
  'http://localhost./',
  'http://a.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://router.home.arpa/',
];

/** A resolver that gives one answer after the other, and repeats the last one. */
function resolverOf(...answers: string[][]): Resolve {
  return (_hostname, _options, callback) => {
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    callback(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

const unresolvable: Resolve = (_hostname, _options, callback) =>
  callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);

const lookUp = (resolve: Resolve, allowPrivate = false) =>
  new Promise<string | LookupAddress[]>((done, fail) => {
    guardedLookup({ allowPrivate, resolve })('hook.example', { all: true }, (error, address) =>
      error ? fail(error) : done(address),
    );
  });

describe('an address', () => {
  it.each(REFUSED_URLS)('%s is refused before anything is resolved', (url) => {
    expect(addressProblem(url, STRICT)).toBe('not_public');
  });

  it.each([
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/hook',
    'http://1.1.1.1:8080/',
    'https://172.32.0.1',
  ])('%s is public', (url) => expect(addressProblem(url, STRICT)).toBeNull());

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://example.com',
    'data:,x',
  ])('%s has an unsupported scheme, private or not', (url) => {
    expect(addressProblem(url, STRICT)).toBe('scheme');
    expect(addressProblem(url, { allowPrivate: true })).toBe('scheme');
  });

  it.each(['', 'example.com', 'http://', 'http://[::1', 'http://1.2.3.4.5/', 'http://256.0.0.1/'])(
    '"%s" is no address at all',
    (url) => expect(addressProblem(url, STRICT)).toBe('form'),
  );

  it('with credentials in it is refused', () => {
    expect(addressProblem('https://user:secret@example.com/', STRICT)).toBe('credentials');
    expect(addressProblem('https://user@example.com/', { allowPrivate: true })).toBe('credentials');
  });

  it('that is private is accepted if private ones are allowed', async () => {
    expect(await checkUrl('http://127.0.0.1:9/', { allowPrivate: true, resolve: unresolvable })).toBeNull();
  });

  it('that a resolver returns with a zone, or that is invalid, is not public', () => {
    expect(isPublicAddress('fe80::1%eth0')).toBe(false);
    expect(isPublicAddress('nonsense')).toBe(false);
  });
});

describe('a name that is saved', () => {
  it('is refused when any of its addresses is private, with an error that doesn’t reveal which', async () => {
    for (const answer of [['10.1.2.3'], ['93.184.216.34', '10.1.2.3'], ['93.184.216.34', '::1']]) {
      const problem = await checkUrl('https://hook.example/', { ...STRICT, resolve: resolverOf(answer) });
      expect(problem).toMatch(/public address/);
      expect(problem).not.toMatch(/10\.1|::1/);
    }
  });

  it('is accepted when it resolves to a public address, or doesn’t resolve yet', async () => {
    const resolve = resolverOf(['93.184.216.34']);
    expect(await checkUrl('https://hook.example/', { ...STRICT, resolve })).toBeNull();
    expect(await checkUrl('https://hook.example/', { ...STRICT, resolve: unresolvable })).toBeNull();
  });
});

describe('the lookup of a connect', () => {
  it('returns the addresses that it checked', async () => {
    expect(await lookUp(resolverOf(['93.184.216.34']))).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('refuses a name that was public when it was saved and is private now', async () => {
    const resolve = resolverOf(['93.184.216.34'], ['127.0.0.1']);
    expect(await checkUrl('https://hook.example/', { ...STRICT, resolve })).toBeNull();
    await expect(lookUp(resolve)).rejects.toMatchObject({ code: 'FOYER_ADDRESS_REFUSED' });
  });

  it('refuses a name with one private address among public ones, and one without any', async () => {
    await expect(lookUp(resolverOf(['93.184.216.34', '169.254.169.254']))).rejects.toThrow(/public/);
    await expect(lookUp(resolverOf([]))).rejects.toThrow();
  });

  it('accepts a private address if private ones are allowed', async () => {
    expect(await lookUp(resolverOf(['127.0.0.1']), true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it('reports that a name does not resolve', async () => {
    await expect(lookUp(unresolvable)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
