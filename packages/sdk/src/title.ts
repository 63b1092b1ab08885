let mark = '';

/**
 * Puts the number of unread messages before the page's title. Only the mark that was made here is ever taken off, so
 * that the page's own words stay as they are, also where it changes them meanwhile.
 */
export const markTitle = (count: number): void => {
  const title = document.querySelector('head>title');
  if (!title) return;
  const shown = title.textContent ?? '';
  const own = mark && shown.startsWith(mark) ? shown.slice(mark.length) : shown;
  mark = count ? `(${count}) ` : '';
  if (shown !== mark + own) title.textContent = mark + own;
};
