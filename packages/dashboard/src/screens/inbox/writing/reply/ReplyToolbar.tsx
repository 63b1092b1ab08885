import { MarkdownSwitch } from '../../../../editor/MarkdownSwitch.tsx';
import { Arrows, Divider, LinkButton, TableButton, Tools } from '../../../../editor/RichToolbar.tsx';
import { BLOCKS, MARKS } from '../../../../editor/tools.ts';
import type { RichText } from '../../../../editor/use-rich-text.ts';

interface ReplyToolbarProps {
  text: RichText;
  /** Opens the link dialog. */
  onLink: () => void;
  onMarkdown: () => void;
}

/** A reply's formatting tools: everything that mails and the portal show. Images are attached. */
export function ReplyToolbar({ text, onLink, onMarkdown }: ReplyToolbarProps) {
  return (
    <Arrows className="overflow-x-auto px-2 pt-1.5">
      <Tools text={text} tools={MARKS} />
      <Divider />
      <LinkButton text={text} onLink={onLink} />
      <Tools text={text} tools={BLOCKS} />
      <TableButton text={text} />
      <MarkdownSwitch isOn={false} onToggle={onMarkdown} />
    </Arrows>
  );
}
