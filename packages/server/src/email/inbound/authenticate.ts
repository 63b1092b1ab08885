import { Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import type { MailAuthentication } from '@foyer/protocol';
import type { AuthenticateResult } from 'mailauth';
import { domainOf } from '../../base/email-address.ts';
import type { SiteContext } from '../../core/context.ts';
import type { ParsedMail } from '../../mime/parsed-mail.ts';
import type { ReceivedRow } from './received.ts';

/** Looks up records as `dns.promises.resolve` does. */
export type MailDns = (name: string, type: string) => Promise<string[] | string[][]>;

declare module '../../core/context.ts' {
  interface Services {
    /** Records of senders' domains, for SPF, DKIM and DMARC. */
    readonly mailDns: MailDns;
  }
}

/** More than SPF, ten signatures and DMARC may need; a mail with a thousand signatures gets no further. */
const LOOKUPS_MAX = 60;
const LOOKUP_MAX_MS = 8_000;
/** For all lookups of a mail, because it delays the other mails of its batch. */
const LOOKUPS_MAX_MS = 15_000;

/** The sender's domain could not be looked up: another attempt may prove it. */
export class AuthenticationUnavailable extends Error {}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

function bounded(resolve: MailDns): MailDns {
  let left = LOOKUPS_MAX;
  const end = performance.now() + LOOKUPS_MAX_MS;
  return async (name, type) => {
    if (left-- <= 0) throw failure('ENOTFOUND');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const leftMs = Math.min(LOOKUP_MAX_MS, Math.max(0, end - performance.now()));
      timer = setTimeout(() => reject(failure('ETIMEOUT')), leftMs);
    });
    try {
      return await Promise.race([resolve(name, type), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const NONE: MailAuthentication = { spf: 'none', dkim: 'none', dmarc: 'none', aligned: false };

/** One result for all signatures: an aligned one that passes, else any that passes, else the first one's failure. */
function dkimOf({ dkim }: AuthenticateResult): { result: string; isAligned: boolean } {
  const passed = dkim.results.filter(({ status }) => status.result === 'pass');
  const isAligned = passed.some(({ status }) => Boolean(status.aligned));
  return { result: passed[0] ? 'pass' : (dkim.results[0]?.status.result ?? 'none'), isAligned };
}

/** @param isSameOrganisation whether two domains belong together, as DMARC's relaxed alignment says */
function resultsOf(
  found: AuthenticateResult,
  received: Pick<ReceivedRow, 'remote_address'>,
  fromDomain: string,
  isSameOrganisation: (one: string, other: string) => boolean,
): MailAuthentication {
  const dkim = dkimOf(found);
  // Without the sending server's address there is nothing to check.
  const isChecked = Boolean(received.remote_address);
  const spf = found.spf !== false && isChecked ? found.spf.status.result : 'none';
  const dmarc = found.dmarc ? found.dmarc.status.result : 'none';
  const spfAligned =
    spf === 'pass' && found.spf !== false && isSameOrganisation(fromDomain, found.spf.domain ?? '');
  const isSkipped = found.dmarc === false;
  // A published policy decides, and may be strict. Without one, the same proofs count.
  const aligned = dmarc === 'pass' || (dmarc === 'none' && !isSkipped && (dkim.isAligned || spfAligned));
  return { spf, dkim: dkim.result, dmarc, aligned };
}

const PIECE_BYTES = 64 * 1024;

/** Other work runs between the pieces: hashing a large mail takes a second. */
async function* piecesOf(raw: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < raw.length; at += PIECE_BYTES) {
    yield raw.subarray(at, at + PIECE_BYTES);
    await breathe();
  }
}

/** The mail without its body, which only signatures cover. */
function headersOf(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  return end === -1 ? raw : raw.subarray(0, end + 4);
}

/**
 * SPF, DKIM and DMARC of a mail, verified here: results in its headers may be anybody's. Without the address of the
 * sending server, as for fetched mail, there is no SPF.
 * @throws AuthenticationUnavailable if a lookup failed and nothing proves the sender yet
 */
export async function authenticateMail(
  ctx: SiteContext,
  received: Pick<ReceivedRow, 'remote_address' | 'helo' | 'envelope_from'>,
  raw: Buffer,
  mail: Pick<ParsedMail, 'from' | 'headers'>,
): Promise<MailAuthentication> {
  if (mail.from === null) return NONE;
  // Loaded by the first mail: most processes never see one.
  const { authenticate } = await import('mailauth');
  const { getAlignment } = await import('mailauth/lib/tools.js');
  const found = await authenticate(
    mail.headers.has('dkim-signature') ? Readable.from(piecesOf(raw)) : headersOf(raw),
    {
      resolver: bounded(ctx.services.mailDns),
      disableArc: true,
      disableBimi: true,
      mta: 'foyer',
      ...(received.remote_address
        ? { ip: received.remote_address, helo: received.helo ?? '', sender: received.envelope_from ?? '' }
        : {}),
    },
  );
  const results = resultsOf(found, received, domainOf(mail.from.address).toLowerCase(), (one, other) =>
    Boolean(getAlignment(one, [other], false)),
  );
  const isOpen = [results.spf, results.dkim, results.dmarc].includes('temperror');
  if (isOpen && !results.aligned)
    throw new AuthenticationUnavailable('The sender’s domain could not be looked up.');
  return results;
}

/** The result for a mail whose sender's domain stays unreachable. */
export const UNPROVEN: MailAuthentication = {
  spf: 'temperror',
  dkim: 'temperror',
  dmarc: 'temperror',
  aligned: false,
};
