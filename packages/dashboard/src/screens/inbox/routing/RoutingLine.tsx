import type { RoutingDecision } from '@foyer/protocol';
import { clock, exact } from '../../../times.ts';
import { listed, needs } from './reasons.ts';
import { t } from './t.ts';

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
