import { Command } from 'cmdk';
import { Globe, Unlink } from 'lucide-react';
import { useState } from 'react';
import { FoundArticles, useFoundArticles } from '../screens/knowledge/FoundArticles.tsx';
import { FOUND_ROW } from '../ui/dialogs/found-row.ts';
import { PickDialog } from '../ui/dialogs/PickDialog.tsx';
import { isLink } from './schema.ts';
import { t } from './t.ts';

/** The longest address that browsers and servers support. */
const ADDRESS_MAX = 2000;

/** The typed text as an address; undefined if it isn't one. */
export function addressOf(typed: string): string | undefined {
  if (typed === '' || /\s/.test(typed)) return undefined;
  if (/^(?:https?:\/\/.|mailto:.|tel:.|\/(?!\/)|#.)/i.test(typed)) return isLink(typed) ? typed : undefined;
  if (/^[^\s@/]+@[^\s@/.]+(?:\.[^\s@/.]+)+$/.test(typed)) return `mailto:${typed}`;
  return /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]\S*)?$/u.test(typed)
    ? `https://${typed}`
    : undefined;
}

interface LinkPickerProps {
  /** The link's current target; empty for none. */
  href: string;
  /** An empty address removes the link. `words` are inserted if nothing was selected. */
  onChoose: (href: string, words: string) => void;
  onClose: () => void;
}

/** Asks for a link's target: an address, or an article found by its words. */
export function LinkPicker({ href, onChoose, onClose }: LinkPickerProps) {
  const [typed, setTyped] = useState(href);
  const text = typed.trim();
  const address = addressOf(text);
  const found = useFoundArticles(address ? '' : text);
  const choose = (to: string, words: string): void => {
    onClose();
    onChoose(to, words);
  };
  return (
    <PickDialog
      label={t('link')}
      placeholder={t('link_find')}
      search={typed}
      onSearch={setTyped}
      onClose={onClose}
      maxLength={ADDRESS_MAX}
      command={{ shouldFilter: false }}
    >
      <Command.List label={t('link')} className="scroll-y max-h-[50dvh] p-2">
        <Command.Empty className="px-3 py-4 text-center text-soft">{t('link_hint')}</Command.Empty>
        {address ? (
          <Command.Item value="address" onSelect={() => choose(address, text)} className={FOUND_ROW}>
            <Globe aria-hidden className="size-4 shrink-0 text-soft" />
            <bdi className="min-w-0 flex-1 truncate">{t('link_to', { address })}</bdi>
          </Command.Item>
        ) : null}
        {href ? (
          <Command.Item value="remove" onSelect={() => choose('', '')} className={FOUND_ROW}>
            <Unlink aria-hidden className="size-4 shrink-0 text-soft" />
            {t('link_remove')}
          </Command.Item>
        ) : null}
        {address ? null : <FoundArticles found={found} onChoose={({ url, title }) => choose(url, title)} />}
      </Command.List>
    </PickDialog>
  );
}
