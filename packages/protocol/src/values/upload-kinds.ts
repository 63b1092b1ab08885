/** Kinds of files by the extension of their names; `other` is the rest. Separate from the schemas, for browsers. */
export const UPLOAD_KINDS = ['image', 'document', 'media', 'other'] as const;
export type UploadKind = (typeof UPLOAD_KINDS)[number];

const ENDINGS: Record<Exclude<UploadKind, 'other'>, string> = {
  image: 'jpg jpeg jpe jfif png gif webp avif heic heif bmp tif tiff',
  document: 'pdf txt md csv tsv log rtf doc docx odt xls xlsx ods ppt pptx odp pages numbers key eml ics vcf',
  media: 'mp4 m4v mov webm mkv avi 3gp mp3 m4a aac wav ogg oga opus flac',
};

export const endingsOf = (kind: UploadKind): string[] => (kind === 'other' ? [] : ENDINGS[kind].split(' '));

/** Determined by the extension, which the reader's computer uses to open the file. */
export const uploadKindOf = (name: string): UploadKind => {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? '';
  return UPLOAD_KINDS.find((kind) => endingsOf(kind).includes(ending)) ?? 'other';
};
