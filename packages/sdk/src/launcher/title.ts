let mark = '';

/**
 * Puts the number of unread messages before the page's title. Only removes its own mark, so the page's text stays
 * intact even if the page changes it meanwhile.
 */
export const markTitle = (count: number): void => {
  const title = document.querySelector('head>title');
  if (!title) return;
  const shown = title.textContent ?? '';
  const own = mark && shown.startsWith(mark) ? shown.slice(mark.length) : shown;
  mark = count ? `(${count}) ` : '';
  if (shown !== mark + own) title.textContent = mark + own;
};
