import { t } from './t.ts';

/** Instead of the reply box. */
export const NoReplies = ({ label }: { label: string }) => (
  <p role="tabpanel" aria-label={label} className="p-3.5 pt-2.5 text-soft">
    {t('no_replies')}
  </p>
);
