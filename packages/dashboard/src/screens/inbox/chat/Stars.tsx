import { Star } from 'lucide-react';
import { t } from '../t.ts';

/** A rating as stars and as words. */
export function Stars({ rating }: { rating: number }) {
  return (
    <span className="inline-flex items-center gap-0.5">
      {[1, 2, 3, 4, 5].map((one) => (
        <Star
          key={one}
          aria-hidden
          className={one <= rating ? 'size-4 fill-accent text-accent' : 'size-4 text-control'}
        />
      ))}
      <span className="tabular ms-1.5 text-soft">{t('stars', { rating })}</span>
    </span>
  );
}
