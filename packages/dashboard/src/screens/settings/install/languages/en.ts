export const words = {
  saved: 'Saved. Visitors see it within a minute.',
  title: 'Install',
  intro: 'Add the chat to your site with two lines of code.',
  snippet: 'Snippet',
  snippet_intro: 'Paste it before </body> on every page that should have the chat.',
  snippet_copy: 'Copy snippet',
  public_key: 'Public key: {key}',
  public_key_copy: 'Copy public key',
  try: 'Try it',
  try_intro: 'Loads your own widget on this page, as visitors see it.',
  try_failed: 'Couldn’t load the widget here. Reload this page and try again.',
  try_shown: 'The button in the corner is your live widget. Messages you send there appear in the inbox.',
  try_show: 'Show widget',
  identify: 'Identify signed-in users',
  identify_intro: 'Agents see a name instead of a placeholder.',
  identify_copy: 'Copy identify example',
  track: 'Track events',
  track_intro: 'Events appear next to the chat and on the visitor’s profile.',
  track_copy: 'Copy track example',
  privacy: 'Privacy',
  privacy_intro: 'The chat sets no cookies on your pages.',
  consent: 'Wait for consent',
  consent_hint:
    'Nothing about a visitor is stored or sent until your page calls {code} or the visitor opens the chat.',
  live: 'Show live visitors',
  live_hint:
    'Pages report who is on your site, also before the chat is opened. Nothing is stored, neither here nor in the browser. Browsers that ask not to be tracked don’t report.',
  proof: 'Identity verification',
  proof_intro:
    'Without it, anyone can call identify with someone else’s user_id. With a secret, your server signs the ID as userHash, and Foyer trusts only signed IDs.',
  proof_failed: 'Couldn’t load the setting.',
  secret_title: 'Identity secret',
  secret_copy: 'Copy secret',
  secret_text:
    'Store it with your server’s secrets, never in a page. Then send userHash from every page that calls identify.',
  verified: 'Identities are verified',
  believed: 'Identities aren’t verified',
  secret_made: 'Secret {hint} · created {date}',
  secret_made_before: 'Secret {hint} · created {date} · previous secret expires {until}',
  no_secret: 'No secret yet.',
  rotate: 'Rotate',
  remove: 'Remove',
  make: 'Create secret',
  rotate_ask: 'Rotate the identity secret?',
  make_ask: 'Start verifying identities?',
  rotate_hint:
    'The new secret is shown once. The old one works for another 24 hours, so you have time to update your servers.',
  make_hint:
    'The secret is shown once. From then on, visitors whose page sends no userHash are unverified and see only the chats of their own browser.',
  remove_ask: 'Stop verifying identities?',
  remove_action: 'Remove secret',
  remove_hint:
    'Foyer accepts any user_id again, and no visitor counts as verified. The secret can’t be restored, but you can create a new one.',
  local_variable:
    'This snippet works only on this computer: it loads Foyer from {address}. Before you add it to your site, set {variable} to Foyer’s public address and restart Foyer.',
  local_here:
    'This snippet works only on this computer: it loads Foyer from {address}. Before you add it to your site, set Foyer’s public address.',
  local_settings:
    'This snippet works only on this computer: it loads Foyer from {address}. Before you add it to your site, set Foyer’s public address in Settings → Install.',
  address: 'Foyer’s public address: {address}',
  address_set: 'Set public address',
  address_change: 'Change',
  address_title: 'Public address',
  address_label: 'Address',
  address_hint:
    'Where browsers reach Foyer, for example https://chat.example.com. The snippet and links in emails use it at once. After Foyer’s next restart, your team signs in there.',
  address_saved: 'Public address saved',
} as const;
