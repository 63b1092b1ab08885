/**
 * Adds the styles of a part loaded on demand. They are included in its script, because a separate file would be
 * another wait.
 */
export const adopt = (css: string): void => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
};
