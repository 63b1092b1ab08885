import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

interface PictureProps {
  class: string;
  /** Null: none. */
  src: string | null;
  /** Shown if there is no picture, or it doesn't load. */
  children: VNode;
}

/** A logo or a face. The text beside it names the owner. */
export const Picture = ({ class: name, src, children }: PictureProps) => {
  const [broken, setBroken] = useState<string | null>(null);
  return src !== null && src !== broken ? (
    <img class={name} src={src} alt="" onError={() => setBroken(src)} />
  ) : (
    children
  );
};
