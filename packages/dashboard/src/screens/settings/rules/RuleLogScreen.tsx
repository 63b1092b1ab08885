import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../../ui/Page.tsx';
import { RuleLog } from './RuleLog.tsx';
import { t } from './t.ts';

const route = getRouteApi('/desk/settings/rules/log');

/** What all rules did. */
export function RuleLogScreen(): ReactNode {
  const { outcome } = route.useSearch();
  const go = route.useNavigate();
  return (
    <Page
      wide
      place="rule log"
      title={t('log')}
      intro={t('log_intro')}
      back={{ to: '/settings/rules', label: t('title') }}
    >
      <RuleLog
        filter={{ outcome }}
        onOutcome={(chosen) => void go({ search: chosen ? { outcome: chosen } : {}, replace: true })}
      />
    </Page>
  );
}
