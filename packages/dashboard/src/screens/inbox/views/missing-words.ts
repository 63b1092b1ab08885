import type { InboxView } from '@foyer/protocol';
import { t } from '../filters/t.ts';

/** Why a view may not show what its name says. */
export function missingWords({ missing, list, tickets }: InboxView): string[] {
  const { tag = '' } = list ?? tickets?.filter ?? {};
  return missing.map((part) => (part === 'tag' ? t('missing_tag', { tag }) : t(`missing_${part}`)));
}
