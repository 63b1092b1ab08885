/** What is written, and what of it is selected. */
export interface Written {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A change of what is written: what goes in where, and what is selected then. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly select: readonly [start: number, end: number];
}

export type Mark = '**' | '_' | '`' | '~~';

/** Puts a mark around the selection, or takes it away where it is there. */
export function toggleMark({ text, start, end }: Written, mark: Mark): Edit {
  const size = mark.length;
  const selected = text.slice(start, end);
  if (text.slice(start - size, start) === mark && text.slice(end, end + size) === mark) {
    return { from: start - size, to: end + size, insert: selected, select: [start - size, end - size] };
  }
  // Whoever has written the last bold word and asks for bold again goes on behind it.
  if (start === end && text.slice(start, start + size) === mark)
    return { from: start, to: start, insert: '', select: [start + size, start + size] };
  return { from: start, to: end, insert: mark + selected + mark, select: [start + size, end + size] };
}

/** Changes what is in a box so that the browser can undo it. */
export function applyEdit(box: HTMLTextAreaElement, edit: (written: Written) => Edit): void {
  const { from, to, insert, select } = edit({
    text: box.value,
    start: box.selectionStart,
    end: box.selectionEnd,
  });
  box.focus();
  box.setSelectionRange(from, to);
  // Where a browser has not this one way that it can undo, whoever writes hears of the text all the same.
  if (!document.execCommand('insertText', false, insert)) {
    box.setRangeText(insert, from, to);
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }
  box.setSelectionRange(...select);
}
