/** The style of a part that is loaded on demand comes within it: a file of its own would be one more to wait for. */
export const adopt = (css: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
};
