import { type AnyOperation, agentsRead, operation } from '../../core/operation.ts';
import { resourceOperations } from '../../core/resource.ts';
import { previewSegment } from './preview.ts';
import { createSegment, deleteSegment, listSegments, updateSegment } from './segments.ts';

export const segmentOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'segments',
    record: 'segment',
    who: ['token', 'agent'],
    audit: 'segment',
    list: {
      summary: 'List segments with their sizes, or read one by id',
      records: { id: 'segment' },
      tool: 'List the site’s groups of visitors, each with its rule and `size` (exact once `ready`). find_visitors with `segment` returns the members.',
      run: listSegments,
    },
    create: {
      summary: 'Create a segment; existing visitors are added in the background',
      tool: 'Create a group of visitors by a rule over their attributes and events, for example {"all": [{"attribute": "plan", "op": "eq", "value": "pro"}, {"event": "order_placed", "op": "gte", "count": 2, "within_days": 30}]}. It fills in the background: poll list_segments with its id until `ready`.',
      run: createSegment,
    },
    update: {
      summary: 'Update a segment’s name or rule',
      tool: 'Rename a segment, or replace its whole rule; it is then not `ready` until all visitors have been checked in the background.',
      run: updateSegment,
    },
    delete: {
      summary: 'Delete a segment; its visitors stay',
      who: ['token', 'admin'],
      tool: 'Permanently delete a segment for the whole site. Its visitors stay.',
      run: (ctx, { id }) => deleteSegment(ctx, id),
    },
  }),
  operation({
    ...agentsRead,
    name: 'segments.preview',
    summary: 'Preview how many visitors match a rule, with examples',
    run: previewSegment,
  }),
];
