import type { ActionCall, ActionCallStatus } from '@foyer/protocol';
import { Badge } from '../../ui/States.tsx';
import { t } from './t.ts';

const TONES: Record<ActionCallStatus, 'plain' | 'good' | 'warn' | 'danger'> = {
  running: 'plain',
  done: 'good',
  failed: 'danger',
  unknown: 'warn',
};

/** How a call ended. */
export const CallBadge = ({ call: { status, status_code: code } }: { call: ActionCall }) => (
  <Badge tone={TONES[status]}>
    {code === null ? t(`status_${status}`) : `${t(`status_${status}`)} · ${code}`}
  </Badge>
);
