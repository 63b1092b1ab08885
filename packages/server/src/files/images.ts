import type { Sharp as Picture, default as SharpModule } from 'sharp';
import { AppError } from '../base/errors.ts';
import { createSemaphore } from '../base/semaphore.ts';

/** An image that the server has decoded and encoded again, without the metadata of the original. */
interface Image {
  content: Buffer;
  contentType: ImageType;
  width: number;
  height: number;
}

type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';

export interface ImageForm {
  /** Neither width nor height is larger; a larger picture is made smaller. */
  readonly edgeMaxPixels: number;
  /** Cut around its middle. */
  readonly isSquare?: true;
  /** What it becomes, without motion; left out, it stays of its kind. */
  readonly as?: ImageType;
}

/** What a file may decode to, all frames of a moving one together: 40 megapixels are 160 MB of memory. */
const PIXELS_MAX = 40_000_000;
const MOVING_PIXELS_MAX = 20_000_000;
const TIME_MAX_S = 10;
/** Pictures that are worked on at once, and that wait for it. */
const AT_ONCE = 2;
const WAITING_MAX = 40;
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 82;

type Library = typeof SharpModule;

/** Only these are read; how a file calls itself does not count. */
const SIGNATURES: readonly { type: ImageType; bytes: (number | null)[]; loader: string }[] = [
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff], loader: 'VipsForeignLoadJpegBuffer' },
  { type: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a], loader: 'VipsForeignLoadPngBuffer' },
  { type: 'image/gif', bytes: [0x47, 0x49, 0x46, 0x38], loader: 'VipsForeignLoadNsgifBuffer' },
  {
    type: 'image/webp',
    bytes: [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50],
    loader: 'VipsForeignLoadWebpBuffer',
  },
];

/** The kind of picture that a file is by its first bytes; undefined for everything else. */
export const imageTypeOf = (content: Buffer): ImageType | undefined =>
  SIGNATURES.find(({ bytes }) => bytes.every((byte, at) => byte === null || content[at] === byte))?.type;

let library: Promise<Library | undefined> | undefined;

/** Loaded with the first picture. Undefined where the platform has no build of it: then every file is a download. */
const loadLibrary = (): Promise<Library | undefined> => {
  library ??= import('sharp').then(
    ({ default: loaded }) => {
      // Of the formats that libvips reads, SVG and documents among them, no more than we take.
      loaded.block({ operation: ['VipsForeignLoad'] });
      loaded.unblock({ operation: SIGNATURES.map(({ loader }) => loader) });
      loaded.cache(false);
      loaded.concurrency(1);
      return loaded;
    },
    () => undefined,
  );
  return library;
};

const semaphore = createSemaphore(AT_ONCE);

/** @throws AppError 503 where too many wait already. */
function runWhenFree<T>(work: () => Promise<T>): Promise<T> {
  if (semaphore.waiting >= WAITING_MAX)
    throw new AppError('unavailable', 'Too many pictures are being processed. Try again in a moment.', {
      headers: { 'retry-after': '5' },
    });
  return semaphore.run(work);
}

/**
 * A stranger's picture as one that may show in a page: never the bytes that came. Metadata (places, cameras, comments,
 * what hides behind the picture's end) is gone, the orientation is drawn in.
 * @returns undefined for what is no picture, is broken, decodes to too much or takes too long: then it stays a download.
 * @throws AppError 503 where too many pictures wait already.
 */
export async function reencodeImage(content: Buffer, form: ImageForm): Promise<Image | undefined> {
  const type = imageTypeOf(content);
  if (!type) return undefined;
  const library = await loadLibrary();
  return library && runWhenFree(() => reencode(library, content, type, form).catch(() => undefined));
}

async function reencode(
  library: Library,
  content: Buffer,
  type: ImageType,
  { edgeMaxPixels, isSquare, as }: ImageForm,
): Promise<Image | undefined> {
  // Reads the head alone.
  const head = await library(content, { limitInputPixels: PIXELS_MAX }).metadata();
  const frame = head.width * (head.pageHeight ?? head.height);
  if (frame > PIXELS_MAX) return undefined;
  const isMoving =
    as === undefined && (head.pages ?? 1) > 1 && frame * (head.pages ?? 1) <= MOVING_PIXELS_MAX;
  const drawn = library(content, {
    animated: isMoving,
    limitInputPixels: PIXELS_MAX,
    sequentialRead: true,
    failOn: 'error',
  })
    .autoOrient()
    .resize({
      width: edgeMaxPixels,
      height: edgeMaxPixels,
      fit: isSquare ? 'cover' : 'inside',
      withoutEnlargement: true,
    })
    .timeout({ seconds: TIME_MAX_S });
  const { data, info } = await encoded(drawn, as ?? type).toBuffer({ resolveWithObject: true });
  return {
    content: data,
    contentType: as ?? type,
    width: info.width,
    height: info.pageHeight ?? info.height,
  };
}

function encoded(drawn: Picture, type: ImageType): Picture {
  switch (type) {
    case 'image/jpeg':
      return drawn.jpeg({ quality: JPEG_QUALITY });
    case 'image/png':
      return drawn.png({ compressionLevel: 8 });
    case 'image/webp':
      return drawn.webp({ quality: WEBP_QUALITY });
    case 'image/gif':
      return drawn.gif({ effort: 3 });
  }
}
