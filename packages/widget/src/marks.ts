/** What bot and agents write, without the marks of markdown: as one line to show, or to read out. */
export const withoutMarks = (text: string): string =>
  text.replace(/[*_`#>]+/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
