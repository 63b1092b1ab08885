import { Link } from '@tanstack/react-router';
import { tCommon } from '../../t-common.ts';
import { buttonLook } from '../../ui/Button.tsx';

/** Shown for an unknown address. */
export function NotFound() {
  return (
    <div className="flex h-full flex-1 flex-col items-center justify-center gap-4 bg-surface p-6 text-center">
      <div>
        <h1 className="font-semibold text-lg">{tCommon('nothing_here')}</h1>
        <p className="mt-1 text-soft">{tCommon('nothing_here_hint')}</p>
      </div>
      <Link to="/inbox" className={buttonLook('primary')}>
        {tCommon('to_inbox')}
      </Link>
    </div>
  );
}
