/** The box in which an agent writes, for code that inserts text: a plain box or the visual editor. */
export interface Box {
  hasFocus(): boolean;
  focus(): void;
  /** The text before the caret in its line. */
  before(): string;
  /** Removes characters before the caret. */
  removeBefore(count: number): void;
  /** Inserts markdown at the caret, replacing the selection. */
  insert(markdown: string): void;
  /** Inserts literal characters at the caret, replacing the selection. */
  type(characters: string): void;
}

export interface VisualBox extends Box {
  /** The caret's offset in the markdown. */
  offset(): number;
}

/** `onChange` is called with the changed text. */
export function plainBox(element: HTMLTextAreaElement, onChange: (text: string) => void): Box {
  const put = (words: string, from = element.selectionStart): void => {
    element.setRangeText(words, from, element.selectionEnd, 'end');
    onChange(element.value);
  };
  return {
    hasFocus: () => document.activeElement === element,
    focus: () => element.focus(),
    before: () => element.value.slice(0, element.selectionStart),
    removeBefore: (count) => put('', element.selectionStart - count),
    insert: put,
    type: put,
  };
}
