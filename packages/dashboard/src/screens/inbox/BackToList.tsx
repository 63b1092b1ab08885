import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { t } from './t.ts';

/** On phones, where an open conversation replaces the list and the bottom bar. */
export const BackToList = () => (
  <Link
    to="/inbox"
    search={true}
    aria-label={t('back')}
    className="flex size-10 shrink-0 items-center justify-center rounded-lg text-soft md:hidden"
  >
    <ArrowLeft aria-hidden className="size-5" />
  </Link>
);
