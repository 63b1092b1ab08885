import type { RoutingDecision, TicketRouting } from '@foyer/protocol';
import { locale } from '../../../language.ts';
import { t } from './t.ts';

type Needs = Pick<RoutingDecision, 'language' | 'tags' | 'team' | 'fell_back'>;

/** One after the other, as the desk's language does it. */
export const listed = (parts: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'unit', style: 'long' }).format(parts);

const nameOf = (language: string): string =>
  new Intl.DisplayNames([locale()], { type: 'language' }).of(language) ?? language;

/** What a chat or ticket asked for, as far as it mattered. */
export const needs = ({ language, tags, team, fell_back }: Needs): string[] => [
  ...(language ? [t('speaks', { language: nameOf(language) })] : []),
  ...(tags.length > 0 ? [t('knows', { tags: listed(tags) })] : []),
  ...(team && !fell_back ? [t('in_team', { team })] : []),
];

/** Why routing gave a ticket to its agent, or to nobody. */
export function ticketReasons(routing: TicketRouting): string {
  const { by, fell_back } = routing;
  return listed([
    ...(by ? [t(`ticket_by_${by}`)] : []),
    ...needs(routing),
    ...(fell_back ? [t('fell_back')] : []),
  ]);
}
