import { type FunctionComponent, h } from 'preact';
import { type LoadPart, partOf } from './part.ts';

/** A part that most chats never show. Nothing is shown until it is there; where it can't be had, the next use tries. */
export const lazy = <Props extends object>(load: LoadPart<Props>): FunctionComponent<Props> => {
  const part = partOf(load);
  return (props) => {
    const { Loaded } = part.use();
    return Loaded ? h(Loaded, props) : null;
  };
};
