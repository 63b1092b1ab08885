/** Tags are unique, ignoring case. */
export const sameName = (left: string, right: string): boolean =>
  left.toLocaleLowerCase() === right.toLocaleLowerCase();

/** The tag's colour; its name is beside it. */
export const TagDot = ({ color }: { color: string | undefined }) => (
  <span
    aria-hidden
    className="size-2 shrink-0 rounded-full bg-control forced-color-adjust-none"
    style={color ? { backgroundColor: color } : undefined}
  />
);
