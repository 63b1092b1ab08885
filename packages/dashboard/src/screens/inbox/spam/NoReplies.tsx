import { t } from './t.ts';

interface NoRepliesProps {
  label: string;
  because: 'spam' | 'role';
}

/** Instead of the reply box. */
export const NoReplies = ({ label, because }: NoRepliesProps) => (
  <p role="tabpanel" aria-label={label} className="p-3.5 pt-2.5 text-soft">
    {t(because === 'spam' ? 'no_replies' : 'role_writes_notes')}
  </p>
);
