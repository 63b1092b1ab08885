import sharp, { type Sharp } from 'sharp';
import { expect, it } from 'vitest';
import { imageTypeOf, reencodeImage } from './images.ts';

const BOUNDS = { edgeMaxPixels: 100 };
const drawn = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#a03020' } });

it('encodes a photo again: upright, smaller, without metadata and appended data', async () => {
  const photo = await drawn(400, 300)
    .withExif({ IFD0: { Copyright: 'taken at home' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const tagged = Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')]);
  expect(photo.includes('taken at home') || (await sharp(photo).metadata()).orientation === 6).toBe(true);
  const image = await reencodeImage(tagged, BOUNDS);
  expect(image).toMatchObject({ contentType: 'image/jpeg', width: 75, height: 100 });
  expect(image?.content.includes('script')).toBe(false);
  expect(image?.content.includes('taken at home')).toBe(false);
  expect(await sharp(image?.content).metadata()).not.toHaveProperty('exif');
});

it('keeps the size of a small picture, and the frames of an animated one', async () => {
  const small = await drawn(20, 10).png().toBuffer();
  expect(await reencodeImage(small, BOUNDS)).toMatchObject({
    contentType: 'image/png',
    width: 20,
    height: 10,
  });
  const frames = await Promise.all(
    ['red', 'green', 'blue'].map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const image = await reencodeImage(moving, { edgeMaxPixels: 20 });
  expect(image).toMatchObject({ contentType: 'image/gif', width: 20, height: 15 });
  expect((await sharp(image?.content, { animated: true }).metadata()).pages).toBe(3);
});

it('refuses a picture with more pixels than memory has room for', async () => {
  const bomb = await drawn(6_500, 6_500).png({ compressionLevel: 4 }).toBuffer();
  expect(bomb.length).toBeLessThan(3_000_000);
  expect(await reencodeImage(bomb, BOUNDS)).toBeUndefined();
});

it.each([
  ['a drawing with scripts', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['the mere beginning of a picture', '\xff\xd8\xff\xe0broken'],
  ['an empty file', ''],
])('refuses %s', async (_what, content) => {
  expect(await reencodeImage(Buffer.from(content, 'latin1'), BOUNDS)).toBeUndefined();
});

it('recognises a picture by its first bytes, whatever its name is', async () => {
  expect(imageTypeOf(await drawn(2, 2).webp().toBuffer())).toBe('image/webp');
  expect(imageTypeOf(Buffer.from('RIFF    WAVE'))).toBeUndefined();
  expect(imageTypeOf(Buffer.alloc(0))).toBeUndefined();
});
