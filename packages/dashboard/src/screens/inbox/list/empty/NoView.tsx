import { Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { Button, buttonLook } from '../../../../ui/Button.tsx';
import { Empty } from '../../../../ui/States.tsx';
import { t } from './t.ts';

interface NoViewProps {
  /** False: it couldn't be loaded. */
  isGone: boolean;
  onRetry: () => void;
}

/** Instead of the list if the address names an unknown view. */
export const NoView = ({ isGone, onRetry }: NoViewProps) =>
  isGone ? (
    <Empty
      icon={<Inbox />}
      title={t('no_view')}
      action={
        <Link to="/inbox" search={{}} className={buttonLook()}>
          {t('no_view_back')}
        </Link>
      }
    >
      {t('no_view_hint')}
    </Empty>
  ) : (
    <Empty
      icon={<Inbox />}
      title={t('view_failed')}
      action={<Button onClick={onRetry}>{t('view_retry')}</Button>}
    >
      {t('view_failed_hint')}
    </Empty>
  );
