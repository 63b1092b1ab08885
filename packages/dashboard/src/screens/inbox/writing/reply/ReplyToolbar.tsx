import { MarkdownSwitch } from '../../../../editor/MarkdownSwitch.tsx';
import { Arrows, Divider, LinkButton, TableButton, Tools } from '../../../../editor/RichToolbar.tsx';
import { BLOCKS, MARKS } from '../../../../editor/tools.ts';
import type { RichText } from '../../../../editor/use-rich-text.ts';

interface ReplyToolbarProps {
  text: RichText;
  /** Opens what asks for the address of a link. */
  onLink: () => void;
  onMarkdown: () => void;
}

/** The tools of a reply: all that mails and the customer's page show. Pictures are attached. */
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
