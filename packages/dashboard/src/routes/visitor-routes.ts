import { createRoute } from '@tanstack/react-router';
import { keyOfPath, pathOfKey } from '../screens/visitors/visitor-path.ts';
import { readVisitorSearch } from '../screens/visitors/visitor-search.ts';
import { desk } from './desk-routes.tsx';
import { reading, screen } from './screen.tsx';

const visitors = createRoute({
  getParentRoute: () => desk,
  path: 'visitors',
  validateSearch: reading(readVisitorSearch),
  component: screen(() => import('../screens/visitors/VisitorsScreen.tsx'), 'VisitorsScreen'),
});
const visitorsHere = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/here',
  component: screen(() => import('../screens/visitors/HereScreen.tsx'), 'HereScreen'),
});
const segments = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/segments',
  component: screen(() => import('../screens/visitors/segments/SegmentsScreen.tsx'), 'SegmentsScreen'),
});
const segmentNew = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/segments/new',
  component: screen(() => import('../screens/visitors/segments/SegmentScreen.tsx'), 'NewSegmentScreen'),
});
const segmentRoute = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/segments/$segmentId',
  component: screen(() => import('../screens/visitors/segments/SegmentScreen.tsx'), 'SegmentScreen'),
});
const visitor = createRoute({
  getParentRoute: () => desk,
  path: 'visitors/$key',
  params: {
    parse: ({ key }) => ({ key: keyOfPath(key) }),
    stringify: ({ key }) => ({ key: pathOfKey(key) }),
  },
  component: screen(() => import('../screens/visitors/VisitorScreen.tsx'), 'VisitorScreen'),
});

/** Visitors and their segments. */
export const visitorRoutes = [visitors, visitorsHere, segments, segmentNew, segmentRoute, visitor] as const;
