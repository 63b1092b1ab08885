import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

interface PictureProps {
  class: string;
  /** Null: there is none. */
  src: string | null;
  /** What stands for it where there is none, or where it does not load. */
  children: VNode;
}

/** A logo or a face; the words beside it say whose. */
export const Picture = ({ class: name, src, children }: PictureProps) => {
  const [broken, setBroken] = useState<string | null>(null);
  return src !== null && src !== broken ? (
    <img class={name} src={src} alt="" onError={() => setBroken(src)} />
  ) : (
    children
  );
};
