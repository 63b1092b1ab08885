import { CheckCheck, ChevronDown } from 'lucide-react';
import { COMMANDS } from '../../../commands/commands.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { useSendable } from './SendButton.tsx';
import { t } from './t.ts';

/** Sends and closes the chat in one step. */
export function MoreSend({
  place,
  longest,
  onSendAndClose,
}: {
  place: string;
  longest: number;
  onSendAndClose: () => void;
}) {
  const isOff = !useSendable({ place, tab: 'reply', longest, withFiles: true });
  return (
    <Menu
      label={t('send_more')}
      side="top"
      disabled={isOff}
      trigger={
        <IconButton label={t('send_more')} disabled={isOff} className="-ms-2 max-sm:hidden">
          <ChevronDown aria-hidden className="size-4" />
        </IconButton>
      }
      items={[
        {
          label: t('send_and_close'),
          icon: <CheckCheck aria-hidden />,
          shortcut: COMMANDS.send_and_done.keys,
          onSelect: onSendAndClose,
        },
      ]}
    />
  );
}
