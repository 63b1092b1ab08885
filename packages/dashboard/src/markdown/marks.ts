/** The text and its selection. */
export interface Written {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A change of the text: what is replaced by what, and the selection afterwards. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly select: readonly [start: number, end: number];
}

export type Mark = '**' | '_' | '`' | '~~';

/** Toggles a mark around the selection. */
export function toggleMark({ text, start, end }: Written, mark: Mark): Edit {
  const size = mark.length;
  const selected = text.slice(start, end);
  if (text.slice(start - size, start) === mark && text.slice(end, end + size) === mark) {
    return { from: start - size, to: end + size, insert: selected, select: [start - size, end - size] };
  }
  // Bold pressed again after the last bold word continues after it.
  if (start === end && text.slice(start, start + size) === mark)
    return { from: start, to: start, insert: '', select: [start + size, start + size] };
  return { from: start, to: end, insert: mark + selected + mark, select: [start + size, end + size] };
}

/** Changes a text box so that the browser can undo it. */
export function applyEdit(box: HTMLTextAreaElement, edit: (written: Written) => Edit): void {
  const { from, to, insert, select } = edit({
    text: box.value,
    start: box.selectionStart,
    end: box.selectionEnd,
  });
  box.focus();
  box.setSelectionRange(from, to);
  // For browsers without this undoable way; the change event is sent anyway.
  if (!document.execCommand('insertText', false, insert)) {
    box.setRangeText(insert, from, to);
    box.dispatchEvent(new Event('input', { bubbles: true }));
  }
  box.setSelectionRange(...select);
}
