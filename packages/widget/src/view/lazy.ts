import { type FunctionComponent, h } from 'preact';
import { type LoadPart, partOf } from './part.ts';

/**
 * A part that most chats never show. Shows nothing until it is loaded; if loading fails, the next use tries again.
 */
export const lazy = <Props extends object>(load: LoadPart<Props>): FunctionComponent<Props> => {
  const part = partOf(load);
  return (props) => {
    const { Loaded } = part.use();
    return Loaded ? h(Loaded, props) : null;
  };
};
