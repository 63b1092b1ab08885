/** Who sees a macro or a view. */
export const words = {
  visible_to: 'Visible to',
  only_me: 'Only me',
  everyone: 'Everyone',
  only_me_hint: 'Nobody else sees it. You can share it later.',
  team_hint: 'The team’s members and admins see it, and may change and delete it as their roles allow.',
  everyone_hint: 'Your whole team can see, change and delete it.',
  team_gone: 'Team no longer available',
};
