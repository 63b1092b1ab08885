import { createRoute } from '@tanstack/react-router';
import { keyOfPath, pathOfKey } from '../screens/visitors/visitor-path.ts';
import { readVisitorSearch } from '../screens/visitors/visitor-search.ts';
import { desk } from './desk-routes.tsx';
import { pagesOf, reading, screen } from './screen.tsx';

const page = pagesOf(() => desk);

const visitors = createRoute({
  getParentRoute: () => desk,
  path: 'visitors',
  validateSearch: reading(readVisitorSearch),
  component: screen(() => import('../screens/visitors/VisitorsScreen.tsx'), 'VisitorsScreen'),
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
export const visitorRoutes = [
  visitors,
  page('visitors/here', () => import('../screens/visitors/HereScreen.tsx'), 'HereScreen'),
  page(
    'visitors/segments',
    () => import('../screens/visitors/segments/SegmentsScreen.tsx'),
    'SegmentsScreen',
  ),
  page(
    'visitors/segments/new',
    () => import('../screens/visitors/segments/SegmentScreen.tsx'),
    'NewSegmentScreen',
  ),
  page(
    'visitors/segments/$segmentId',
    () => import('../screens/visitors/segments/SegmentScreen.tsx'),
    'SegmentScreen',
  ),
  visitor,
] as const;
