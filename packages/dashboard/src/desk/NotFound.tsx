import { Link } from '@tanstack/react-router';
import { buttonLook } from '../ui/Button.tsx';

/** There is no page at this address. */
export function NotFound() {
  return (
    <div className="flex h-full flex-1 flex-col items-center justify-center gap-4 bg-surface p-6 text-center">
      <div>
        <h1 className="font-semibold text-lg">There is nothing at this address</h1>
        <p className="mt-1 text-soft">It may have been deleted, or the link is incomplete.</p>
      </div>
      <Link to="/inbox" className={buttonLook('primary')}>
        Go to the inbox
      </Link>
    </div>
  );
}
