import type { InboxView } from '@foyer/protocol';
import { useNavigate } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useMe } from '../../../desk/DeskContext.tsx';
import { Button } from '../../../ui/Button.tsx';
import { t } from '../filters/t.ts';
import type { InboxSearch } from '../list/inbox-search.ts';
import { missingWords } from './missing-words.ts';
import { isChanged } from './saving.ts';

/**
 * Above the list: what the view refers to but no longer exists, and that a colleague has changed the view being
 * edited.
 */
export function ViewNote({ search, view }: { search: InboxSearch; view: InboxView }) {
  const navigate = useNavigate();
  const { agent } = useMe();
  const changed = isChanged(search, view, agent.id);
  const words = changed ? [] : missingWords(view);
  const isOlder = changed && search.version !== undefined && search.version !== view.version;
  if (words.length === 0 && !isOlder) return null;
  return (
    <div role="status" className="mt-2 flex gap-2 rounded-lg bg-sunken p-2.5 text-soft">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        {words.map((one) => (
          <p key={one} className="wrap-anywhere">
            {one}
          </p>
        ))}
        {words.length > 0 ? <p>{t('missing_hint')}</p> : null}
        {isOlder ? (
          <>
            <p>{t('view_changed')}</p>
            <Button
              small
              className="mt-1.5"
              onClick={() => void navigate({ to: '.', search: { view: view.id }, replace: true })}
            >
              {t('view_changed_show')}
            </Button>
          </>
        ) : null}
      </div>
    </div>
  );
}
