export const words = {
  title: 'Email signature',
  own_intro: 'Below your ticket replies, in emails only. If empty, the site’s signature is used.',
  site_title: 'Default signature',
  site_intro: 'Below ticket replies of agents without a signature of their own, in emails only.',
  signature: 'Signature',
  hint: 'Markdown. {agent} and {site} insert the agent’s and the site’s name.',
  save: 'Save signature',
  saved: 'Signature saved',
  failed: 'Couldn’t save the signature.',
} as const;
