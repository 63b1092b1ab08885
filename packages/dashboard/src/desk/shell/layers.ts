import { loadSignInAgain } from './signed-out.ts';

/** Layers over the screens, which would also be missing offline. A list of its own: it names many files. */
export const LAYERS: readonly (() => Promise<unknown>)[] = [
  // Needed first if something goes wrong.
  () => import('../../errors/error-words.ts'),
  loadSignInAgain,
  () => import('./AgentMenu.tsx'),
  () => import('../sites/SiteMenu.tsx'),
  () => import('../sites/SiteLayer.tsx'),
  () => import('../notifications/push.ts'),
  () => import('../announce.ts'),
  () => import('../../screens/notifications/Bell.tsx'),
  () => import('../../commands/Palette.tsx'),
  () => import('../../commands/ShortcutSheet.tsx'),
  () => import('../../screens/inbox/chat/ChatMenu.tsx'),
  () => import('../../screens/inbox/chat/CollectQuestion.tsx'),
  () => import('../../screens/inbox/filters/Controls.tsx'),
  () => import('../../screens/inbox/NotSent.tsx'),
  () => import('../../screens/inbox/list/QueueMenu.tsx'),
  () => import('../../screens/inbox/bulk/BulkBar.tsx'),
  () => import('../../screens/inbox/chat/AssignChat.tsx'),
  () => import('../../screens/inbox/chat/SummaryDialog.tsx'),
  () => import('../../screens/visitors/person/PersonPanel.tsx'),
  () => import('../../screens/inbox/TagPicker.tsx'),
  () => import('../../screens/inbox/views/ViewActions.tsx'),
  () => import('../../screens/inbox/writing/macros/MacroPicker.tsx'),
  () => import('../../screens/inbox/writing/drafts/TakeOver.tsx'),
];
