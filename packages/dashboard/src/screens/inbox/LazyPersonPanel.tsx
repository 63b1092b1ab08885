import { type ComponentProps, Suspense } from 'react';
import { lazyPart } from '../../lazy-part.ts';
import { Bone } from '../../ui/States.tsx';

/** The editor of a person is loaded after the messages, and the person with it. */
const Panel = lazyPart(() => import('../visitors/person/PersonPanel.tsx'), 'PersonPanel');

export const LazyPersonPanel = (props: ComponentProps<typeof Panel>) => (
  <Suspense
    fallback={
      <div className="late px-5 pt-5">
        <Bone className="pulse-soft h-12" />
      </div>
    }
  >
    <Panel {...props} />
  </Suspense>
);
