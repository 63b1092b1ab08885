import { Lock } from 'lucide-react';
import type { Tab } from '../../../live/kept-draft.ts';
import { cx } from '../../../ui/classes.ts';
import { Tip } from '../../../ui/Tip.tsx';
import { t } from './t.ts';

/** The choice between a reply and a note. */
export function WriteTabs({ tab, onChoose }: { tab: Tab; onChoose: (tab: Tab) => void }) {
  const look = (on: boolean): string =>
    cx(
      'flex h-8 items-center gap-1.5 rounded-md px-2.5 font-medium max-md:h-10',
      !on && 'text-soft hover:text-text',
      on && (tab === 'note' ? 'bg-note-line text-note-text' : 'bg-pressed text-text'),
    );
  return (
    <div className="flex items-center gap-1 px-1.5 pt-1.5">
      <div role="tablist" aria-label={t('message_type')} className="flex gap-1">
        <Tip text={t('write_reply_tip')} shortcut="r">
          <button
            type="button"
            role="tab"
            aria-selected={tab === 'reply'}
            className={look(tab === 'reply')}
            onClick={() => onChoose('reply')}
          >
            {t('reply')}
          </button>
        </Tip>
        <Tip text={t('write_note_tip')} shortcut="n">
          <button
            type="button"
            role="tab"
            aria-selected={tab === 'note'}
            className={look(tab === 'note')}
            onClick={() => onChoose('note')}
          >
            <Lock aria-hidden className="size-3.5" />
            {t('note')}
          </button>
        </Tip>
      </div>
      {tab === 'note' ? (
        <p className="min-w-0 truncate pe-2 text-note-text text-xs">{t('team_only')}</p>
      ) : null}
    </div>
  );
}
