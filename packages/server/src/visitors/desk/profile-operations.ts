import { type AnyOperation, adminsRead, agentsRead, operation } from '../../core/operation.ts';
import { exportPerson } from '../data-export.ts';
import { countHere, listHere } from '../live/here.ts';
import { mergeVisitors, updateVisitor } from './edit.ts';
import { addVisitorNote, deleteVisitorNote, editVisitorNote } from './notes.ts';
import { openVisitor } from './profile.ts';
import { listTimeline } from './timeline.ts';

const records = { key: 'visitor' } as const;
const write = { who: ['agent'], scope: 'write', audit: 'visitor' } as const;

/** The desk's operations in one visitor's profile. */
export const visitorProfileOperations: AnyOperation[] = [
  operation({
    ...agentsRead,
    name: 'visitors.open',
    summary: 'Read a visitor’s profile',
    records,
    run: (ctx, { key }) => openVisitor(ctx, key),
  }),
  operation({
    ...agentsRead,
    name: 'visitors.timeline',
    summary: 'List a visitor’s timeline, newest first',
    records,
    run: listTimeline,
  }),
  operation({
    ...write,
    name: 'visitors.update',
    summary: 'Update a visitor',
    records,
    run: updateVisitor,
  }),
  operation({
    ...write,
    name: 'visitors.merge',
    summary: 'Merge two visitors',
    records: { key: 'visitor', into_key: 'visitor' },
    run: mergeVisitors,
  }),
  operation({
    ...write,
    name: 'visitor_notes.create',
    summary: 'Add a note to a visitor',
    records,
    run: addVisitorNote,
  }),
  operation({
    ...write,
    name: 'visitor_notes.update',
    summary: 'Update your own note on a visitor',
    records: { id: 'visitor_note' },
    run: editVisitorNote,
  }),
  operation({
    ...write,
    name: 'visitor_notes.delete',
    summary: 'Delete a note on a visitor',
    records: { id: 'visitor_note' },
    run: (ctx, { id }) => deleteVisitorNote(ctx, id),
  }),
  operation({
    ...adminsRead,
    name: 'visitor_data.export',
    audit: 'visitor',
    summary: 'Export a visitor’s data as JSON, in parts',
    records,
    run: exportPerson,
  }),
  operation({
    ...agentsRead,
    name: 'visitors.here',
    summary: 'List visitors on the site now',
    run: listHere,
  }),
  operation({
    ...agentsRead,
    name: 'visitors.count_here',
    summary: 'Count visitors on the site now',
    run: countHere,
  }),
];
