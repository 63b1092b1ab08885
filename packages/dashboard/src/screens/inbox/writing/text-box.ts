/** Where an agent writes, as the parts that put something into it see it: a plain box or the visual editor. */
export interface Box {
  hasFocus(): boolean;
  focus(): void;
  /** What stands before the caret in its line. */
  before(): string;
  /** Takes characters before the caret away. */
  removeBefore(count: number): void;
  /** Markdown at the caret, instead of what is selected. */
  insert(markdown: string): void;
  /** Characters as they are, at the caret, instead of what is selected. */
  type(characters: string): void;
}

export interface VisualBox extends Box {
  /** Where the caret is in the markdown. */
  offset(): number;
}

/** `onChange` hears of the text once it is another. */
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
