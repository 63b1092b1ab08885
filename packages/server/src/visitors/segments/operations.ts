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
      summary: 'One segment by its id; else the segments with their sizes',
      records: { id: 'segment' },
      tool: 'The site’s groups of visitors: the rule of each, and how many are in it (`size`, exact once `ready`). Their members come from find_visitors with `segment`.',
      run: listSegments,
    },
    create: {
      summary: 'Make a segment; the visitors that there are get into it in the background',
      tool: 'Make a group of visitors by a rule over their attributes and events, for example {"all": [{"attribute": "plan", "op": "eq", "value": "pro"}, {"event": "order_placed", "op": "gte", "count": 2, "within_days": 30}]}. It fills in the background: ask list_segments by its id until `ready`.',
      run: createSegment,
    },
    update: {
      summary: 'Rename a segment or change its rule',
      tool: 'Rename a segment, or give it another rule as a whole; then it is not `ready` until the background has been through all visitors.',
      run: updateSegment,
    },
    delete: {
      summary: 'Delete a segment; its visitors stay',
      who: ['token', 'admin'],
      tool: 'Delete a segment for the whole site. Its visitors stay; its rule is gone for good.',
      run: (ctx, { id }) => deleteSegment(ctx, id),
    },
  }),
  operation({
    ...agentsRead,
    name: 'segments.preview',
    summary: 'How many visitors a rule would hold for, and some of them',
    run: previewSegment,
  }),
];
