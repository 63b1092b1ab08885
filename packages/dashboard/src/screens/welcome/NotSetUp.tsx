import { CopyBox } from '../../ui/CopyBox.tsx';
import { Door } from './Door.tsx';
import { t } from './t.ts';

const COMMAND = 'npx foyer setup-link';

/** Instead of the sign-in, as long as there are no accounts. */
export function NotSetUp() {
  return (
    <Door title={t('not_set_up')} intro={t('not_set_up_hint')}>
      <div className="space-y-3">
        <p className="text-soft">{t('not_set_up_lost')}</p>
        <CopyBox text={COMMAND} label={t('not_set_up_copy')} />
      </div>
    </Door>
  );
}
