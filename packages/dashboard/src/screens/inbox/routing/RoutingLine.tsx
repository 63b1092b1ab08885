import type { RoutingDecision } from '@foyer/protocol';
import { locale } from '../../../language.ts';
import { clock, exact } from '../../../times.ts';
import { t } from './t.ts';

/** One after the other, as the desk's language does it. */
const listed = (parts: readonly string[]): string =>
  new Intl.ListFormat(locale(), { type: 'unit', style: 'long' }).format(parts);

const nameOf = (language: string): string =>
  new Intl.DisplayNames([locale()], { type: 'language' }).of(language) ?? language;

/** What the chat asked for, as far as it mattered. */
const needs = ({ language, tags, team, fell_back }: RoutingDecision): string[] => [
  ...(language ? [t('speaks', { language: nameOf(language) })] : []),
  ...(tags.length > 0 ? [t('knows', { tags: listed(tags) })] : []),
  ...(team && !fell_back ? [t('in_team', { team })] : []),
];

/** A decision as a sentence. */
function decisionWords(decision: RoutingDecision): string {
  const { kind, agent, by, fell_back } = decision;
  const name = agent?.name ?? '';
  switch (kind) {
    case 'assigned': {
      const reasons = [
        ...(by ? [t(`by_${by}`)] : []),
        ...needs(decision),
        ...(fell_back ? [t('fell_back')] : []),
      ];
      return t('assigned', { name, reasons: listed(reasons) });
    }
    case 'nobody':
      return t('nobody', { needs: listed(needs(decision)) });
    case 'agent_away':
      return t('agent_away', { name });
    case 'agent_removed':
      return t('agent_removed', { name });
  }
}

/** A step of the chat's routing, with its reasons. Only the team sees it. */
export function RoutingLine({ decision }: { decision: RoutingDecision }) {
  return (
    <p className="wrap-anywhere my-3 text-center text-soft text-xs" title={exact(decision.created_utc)}>
      <bdi>{decisionWords(decision)}</bdi> · {clock(decision.created_utc)}
    </p>
  );
}
