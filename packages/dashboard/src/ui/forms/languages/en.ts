/** What fields for pictures and codes say: no part of the first screen has one. */
export const words = {
  picture_change: 'Change',
  picture_choose: 'Choose picture',
  picture_remove: 'Remove',
  picture_refused: 'The picture {problem}.',
  picture_kind: '“{name}” isn’t a JPEG, PNG, GIF or WebP image.',
  picture_large: '“{name}” is larger than {megabytes} MB.',
  code: 'Code',
  code_digits: 'Six digits',
} as const;
