import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth';
import { expect, it } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { mail, openMailDesk } from '../../../test/mails/mail-desk.ts';
import { turnsDuring } from '../../../test/turns.ts';
import { parseMail } from '../../mime/parse-mail.ts';
import { authenticateMail } from './authenticate.ts';

const ground = useGround();
const RECEIVED = { remote_address: null, helo: null, envelope_from: null };
const LINE = 'A line of a text\n';

it('the signature of a large mail is proof, unless a byte of it has changed', async () => {
  const { ctx, zone } = await openMailDesk(ground);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  zone['x._domainkey.customer.example TXT'] = [[`v=DKIM1; k=rsa; p=${key}`]];
  const unsigned = mail({}, LINE.repeat(20_000));
  const signer = {
    signingDomain: 'customer.example',
    selector: 'x',
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
  const { signatures } = await dkimSign(unsigned, { ...signer, signatureData: [signer] });
  const check = async (text: string) => {
    const raw = Buffer.from(text);
    return authenticateMail(ctx, RECEIVED, raw, await parseMail(raw));
  };
  const signed = `${signatures}${unsigned}`;
  expect(await check(signed)).toMatchObject({ dkim: 'pass', aligned: true });
  const at = signed.lastIndexOf('text');
  expect(await check(`${signed.slice(0, at)}fact${signed.slice(at + 4)}`)).toMatchObject({ aligned: false });
});

it('a large signed mail blocks nobody while its body is hashed', async () => {
  const { ctx } = await openMailDesk(ground);
  const signature =
    'v=1; a=rsa-sha256; c=relaxed/relaxed; d=customer.example; s=x; h=from:subject; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA';
  const raw = Buffer.from(mail({ 'DKIM-Signature': signature }, LINE.repeat(450_000)));
  const from = { name: null, address: 'ann@customer.example' };
  const headers = new Map([['dkim-signature', [signature]]]);
  // Once for each 64 KiB.
  const checking = authenticateMail(ctx, RECEIVED, raw, { from, headers });
  expect(await turnsDuring(checking)).toBeGreaterThan(100);
});
