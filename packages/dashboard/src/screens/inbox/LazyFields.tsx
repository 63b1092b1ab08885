import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../../lazy-part.ts';

/** Loaded after the messages, and only shown by sites that have fields. */
const Fields = lazyPart(() => import('../fields/FieldsPart.tsx'), 'FieldsPart');

export const LazyFields = (props: ComponentProps<typeof Fields>) => (
  <Suspense>
    <Fields {...props} />
  </Suspense>
);
