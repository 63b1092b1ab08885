import { useDesk } from '../../desk/DeskContext.tsx';
import { isSame } from '../../live/kept-draft.ts';
import type { Outgoing } from '../../live/outbox.ts';
import { tCommon } from '../../t-common.ts';
import { Button } from '../../ui/Button.tsx';
import { t } from './t.ts';

/** Why a reply was refused, and what can be done. */
export function NotSent({ item }: { item: Outgoing }) {
  const { drafts, files, outbox } = useDesk();
  const writeOn = (): void => {
    const { [item.kind]: begun, mentions } = drafts.get(item.place);
    const text = begun.trim() === '' ? item.text : `${item.text}\n\n${begun}`;
    const named = item.mentions ?? [];
    const others = mentions.filter((other) => !named.some((one) => isSame(one, other)));
    drafts.change(item.place, { tab: item.kind, [item.kind]: text, mentions: [...named, ...others] });
    files.putBack(item.place, item.files ?? []);
    outbox.discard(item.client_id);
  };
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-x-2 gap-y-1 text-xs">
      <span className="wrap-anywhere text-danger-text">
        {t('not_sent_because', { error: item.error ?? '' })}
      </span>
      <Button small onClick={() => outbox.tryAgain(item.client_id)}>
        {tCommon('retry')}
      </Button>
      <Button small onClick={writeOn}>
        {t('edit')}
      </Button>
      <Button small look="quiet" onClick={() => outbox.discard(item.client_id)}>
        {t('discard')}
      </Button>
    </div>
  );
}
