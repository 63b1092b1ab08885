import { useDesk } from '../../../../desk/DeskContext.tsx';
import type { Tab } from '../../../../live/kept-draft.ts';
import { Button } from '../../../../ui/Button.tsx';
import { t } from '../t.ts';
import { useElsewhere } from './use-draft.ts';

/** Two browsers of one agent have different texts: neither is lost until the agent has chosen. */
export function DraftElsewhere({ place, tab }: { place: string; tab: Tab }) {
  const { drafts } = useDesk();
  const other = useElsewhere(place, tab);
  if (!other) return null;
  return (
    <div
      role="alert"
      className="mx-2 mt-1 rounded-lg border border-warn-line bg-warn-ground px-3 py-2 text-warn-text"
    >
      <p>{t('elsewhere')}</p>
      <p dir="auto" className="wrap-anywhere my-1 line-clamp-3 whitespace-pre-wrap text-text">
        {other.text}
      </p>
      <div className="flex flex-wrap gap-2 py-1">
        <Button small onClick={() => drafts.takeOther(place, tab)}>
          {t('elsewhere_take')}
        </Button>
        <Button small look="quiet" onClick={() => drafts.keepOwn(place, tab)}>
          {t('elsewhere_keep')}
        </Button>
      </div>
    </div>
  );
}
