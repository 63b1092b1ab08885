/** The lines of a text box that hold something, each once. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
];
