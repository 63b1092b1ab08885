import type { Services, SiteContext } from '../core/context.ts';
import { isAmong } from '../core/vault.ts';
import { choose } from './choices.ts';

/** The agent whose mails a link turns off. The link doesn't expire, because that is all it can do. */
interface MailOff {
  siteId: number;
  agentId: number;
}

const purposeOf = ({ siteId, agentId }: MailOff): string => `mail off ${siteId}-${agentId}`;

/** The path, without a host, of a link that works without sign-in and never expires. */
export const mailOffPath = (whose: MailOff, services: Pick<Services, 'derivedToken'>): string =>
  `/mail-off/${whose.siteId}.${whose.agentId}.${services.derivedToken(purposeOf(whose))}`;

/** Undefined for a token that this installation has not created. */
export function readMailOff(token: string, services: Pick<Services, 'derivedToken'>): MailOff | undefined {
  const [, site, agent, proof] = /^([1-9]\d{0,14})\.([1-9]\d{0,14})\.([\w-]{43})$/.exec(token) ?? [];
  if (!site || !agent || !proof) return undefined;
  const whose = { siteId: Number(site), agentId: Number(agent) };
  return isAmong(proof, services.derivedToken.all(purposeOf(whose))) ? whose : undefined;
}

/** Stops mails to this agent; their other notifications stay. */
export async function turnMailOff(ctx: SiteContext, agentId: number): Promise<void> {
  await choose(ctx, agentId, ({ ways }) => {
    const kinds = Object.entries(ways).map(([kind, chosen]) => [kind, { ...chosen, mail: false }]);
    return { ways: Object.fromEntries(kinds) };
  });
}
