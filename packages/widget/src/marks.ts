/** Text of bot and agents without markdown, as one line to show or read aloud. */
export const withoutMarks = (text: string): string =>
  text.replace(/[*_`#>]+/g, '').replace(/\[([^[\]]*)\]\([^)]{0,2000}\)/g, '$1');
