import { type FunctionComponent, h } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A part that most chats never show: loaded when it is first drawn. Nothing is shown until then. */
export const lazy = <Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> => {
  let part: FunctionComponent<Props> | undefined;
  return (props) => {
    const [, draw] = useState(0);
    useEffect(() => {
      if (part) return;
      load().then(
        (loaded) => {
          part = loaded;
          draw((count) => count + 1);
        },
        // Without a network: it is tried again the next time.
        () => {},
      );
    }, []);
    return part ? h(part, props) : null;
  };
};
