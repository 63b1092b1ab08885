import { type AnyOperation, operation } from '../../core/operation.ts';
import { previewSegment } from './preview.ts';
import { createSegment, deleteSegment, listSegments, updateSegment } from './segments.ts';

export const segmentOperations: AnyOperation[] = [
  operation({
    name: 'segments.list',
    summary: 'One segment by its id; else the segments with their sizes',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'segments', method: 'GET' },
    records: { id: 'segment' },
    tool: {
      name: 'list_segments',
      description:
        'The site’s groups of visitors: the rule of each, and how many are in it (`size`, exact once `ready`). Their members come from find_visitors with `segment`.',
    },
    run: listSegments,
  }),
  operation({
    name: 'segments.create',
    audit: 'segment',
    summary: 'Make a segment; the visitors that there are get into it in the background',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'segments', method: 'POST', creates: true },
    tool: {
      name: 'create_segment',
      description:
        'Make a group of visitors by a rule over their attributes and events, for example {"all": [{"attribute": "plan", "op": "eq", "value": "pro"}, {"event": "order_placed", "op": "gte", "count": 2, "within_days": 30}]}. It fills in the background: ask list_segments by its id until `ready`.',
    },
    run: createSegment,
  }),
  operation({
    name: 'segments.update',
    audit: 'segment',
    summary: 'Rename a segment or change its rule',
    who: ['token', 'agent'],
    scope: 'write',
    rest: { resource: 'segments', method: 'PATCH', query: ['id'] },
    records: { id: 'segment' },
    tool: {
      name: 'update_segment',
      description:
        'Rename a segment, or give it another rule as a whole; then it is not `ready` until the background has been through all visitors.',
      idempotent: true,
    },
    run: updateSegment,
  }),
  operation({
    name: 'segments.preview',
    summary: 'How many visitors a rule would hold for, and some of them',
    who: ['agent'],
    scope: 'read',
    run: previewSegment,
  }),
  operation({
    name: 'segments.delete',
    audit: 'segment',
    summary: 'Delete a segment; its visitors stay',
    who: ['token', 'admin'],
    scope: 'write',
    rest: { resource: 'segments', method: 'DELETE' },
    records: { id: 'segment' },
    tool: {
      name: 'delete_segment',
      description: 'Delete a segment for the whole site. Its visitors stay; its rule is gone for good.',
      destructive: true,
    },
    run: (ctx, { id }) => deleteSegment(ctx, id),
  }),
];
