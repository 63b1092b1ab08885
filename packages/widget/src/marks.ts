/** What bot and agents write, without the marks of markdown: as one line to show, or to read out. */
export const withoutMarks = (text: string): string =>
  text.replace(/[*_`#>]+/g, '').replace(/\[([^[\]]*)\]\([^)]{0,2000}\)/g, '$1');
