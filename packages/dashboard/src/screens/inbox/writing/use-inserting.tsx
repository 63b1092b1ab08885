import { type ReactNode, Suspense, useState } from 'react';
import { useCommands } from '../../../commands/commands.ts';
import { holdTyped } from '../../../commands/typed-ahead.ts';
import { lazyPart } from '../../../lazy-part.ts';
import type { MacroTarget, MacroValues } from './MacroPicker.tsx';
import type { Writing } from './use-writing.ts';

const ArticleFinder = lazyPart(() => import('./ArticleFinder.tsx'), 'ArticleFinder');
const MacroPicker = lazyPart(() => import('./MacroPicker.tsx'), 'MacroPicker');

/** What a macro fills in, and what it is applied to. */
export interface MacrosHere {
  values: MacroValues;
  target: MacroTarget;
}

export interface Inserting {
  pickMacro: () => void;
  findArticle: () => void;
  /** The one that is open. */
  dialogs: ReactNode;
}

/** The dialogs that put a macro or the link of an article into the box, by button and by key while it is open. */
export function useInserting(writing: Writing, macros: MacrosHere, isOpen: boolean): Inserting {
  const [shown, setShown] = useState<'macros' | 'articles' | null>(null);
  const show = (which: 'macros' | 'articles') => (): void => {
    holdTyped();
    setShown(which);
  };
  const close = (): void => setShown(null);
  const pickMacro = show('macros');
  const findArticle = show('articles');
  useCommands({ macro: isOpen ? pickMacro : undefined, article_link: isOpen ? findArticle : undefined });
  const insertLink = (link: string): void => {
    writing.type(link);
    writing.focus();
  };
  const dialogs = shown ? (
    <Suspense>
      {shown === 'articles' ? (
        <ArticleFinder onInsert={insertLink} onClose={close} />
      ) : (
        <MacroPicker {...macros} onInsert={writing.insert} onClose={close} />
      )}
    </Suspense>
  ) : null;
  return { pickMacro, findArticle, dialogs };
}
