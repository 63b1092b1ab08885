import type { Sharp as Picture, default as SharpModule } from 'sharp';
import { AppError } from '../base/errors.ts';
import { createSemaphore } from '../base/semaphore.ts';

/** An image that the server decoded and encoded again, without the original's metadata. */
interface Image {
  content: Buffer;
  contentType: ImageType;
  width: number;
  height: number;
}

type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif';

export interface ImageForm {
  /** The maximum of width and height. A larger image is scaled down. */
  readonly edgeMaxPixels: number;
  /** Crops to a square around the centre. */
  readonly isSquare?: true;
  /** The output format, without animation. Unset: the input's format. */
  readonly as?: ImageType;
}

/** The decoded size of a file, all frames together: 40 megapixels are 160 MB of memory. */
const PIXELS_MAX = 40_000_000;
const MOVING_PIXELS_MAX = 20_000_000;
const TIME_MAX_S = 10;
/** How many images are processed at once, and how many may wait. */
const AT_ONCE = 2;
const WAITING_MAX = 40;
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 82;

type Library = typeof SharpModule;

/** Only these formats are read. A file's declared type doesn't count. */
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

/** How many bytes of a file `imageTypeOf` reads. */
export const IMAGE_HEAD_BYTES = 12;

/** The image format according to the first bytes; undefined for anything else. */
export const imageTypeOf = (content: Buffer): ImageType | undefined =>
  SIGNATURES.find(({ bytes }) => bytes.every((byte, at) => byte === null || content[at] === byte))?.type;

let library: Promise<Library | undefined> | undefined;

/** Loaded with the first image. Undefined if the platform has no build: then every file is a download. */
const loadLibrary = (): Promise<Library | undefined> => {
  library ??= import('sharp').then(
    ({ default: loaded }) => {
      // Blocks all formats of libvips except those we accept; SVG and PDF are among the others.
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

/** @throws AppError 503 if too many are waiting */
function runWhenFree<T>(work: () => Promise<T>): Promise<T> {
  if (semaphore.waiting >= WAITING_MAX)
    throw new AppError('unavailable', 'Too many pictures are being processed. Try again in a moment.', {
      headers: { 'retry-after': '5' },
    });
  return semaphore.run(work);
}

/**
 * Encodes a stranger's image again so that it is safe to show: never the original bytes. Metadata (location,
 * camera, comments, data after the image) is removed, and the orientation is applied.
 * @returns undefined for a file that is no image, is broken, decodes to too much or takes too long: it stays a
 * download
 * @throws AppError 503 if too many images are waiting
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
  // Reads only the header.
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
