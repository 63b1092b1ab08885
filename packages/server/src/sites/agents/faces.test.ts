import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAgent, openSiteFixture, type SiteFixture } from '../../../test/fixtures/sites.ts';
import type { SiteContext } from '../../core/context.ts';
import { removeAgent } from '../../team/remove-agent.ts';
import { findPicture } from '../pictures.ts';
import { getAgent } from './agents.ts';
import { createTeamFaces, removePicture, setLogo, setOwnPicture } from './faces.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

const drawn = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const base64 = (content: Buffer): string => content.toString('base64');
const stored = async (url: string | null) => {
  const picture = await findPicture(fixture.db, url?.replace('/pictures/', '') ?? '');
  return picture && 'content' in picture
    ? { ...picture, ...(await sharp(picture.content).metadata()) }
    : picture;
};
/** The same agent, signed in. */
const asAgent = (operator: SiteContext, id: number): SiteContext =>
  fixture.contextOf(operator.site, { kind: 'agent', agentId: id, name: 'Ada', role: 'agent' });

test('a logo keeps its shape, and its address depends on its content', async () => {
  const { admin, site } = await fixture.newSite();
  const { logo_url: url } = await setLogo(admin, base64(await drawn(800, 400, 'red')));
  expect(url).toMatch(new RegExp(`^/pictures/${site.id}-[0-9a-f]{32}$`));
  expect(await stored(url)).toMatchObject({ contentType: 'image/webp', width: 256, height: 128 });
  expect(fixture.notices).toContainEqual({ siteId: site.id, kind: 'site' });
});

test('an agent’s picture is a still square', async () => {
  const { admin } = await fixture.newSite();
  const frames = await Promise.all(['red', 'blue'].map((color) => drawn(400, 300, color)));
  const moving = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const { picture_url: url } = await setOwnPicture(admin, base64(moving));
  const face = await stored(url);
  expect(face).toMatchObject({ contentType: 'image/webp', width: 192, height: 192 });
  expect(face).not.toHaveProperty('pages');
});

test('the address of a replaced picture redirects to the current one, never to that of another agent with the same', async () => {
  const { admin, operator, adminId } = await fixture.newSite();
  const other = asAgent(operator, (await newAgent(operator)).id);
  const [green, blue, red] = await Promise.all(
    ['green', 'blue', 'red'].map(async (color) => base64(await drawn(50, 50, color))),
  );
  if (!green || !blue || !red) throw new Error('a picture is missing');
  const { picture_url: first } = await setOwnPicture(admin, green);
  const { picture_url: theirs } = await setOwnPicture(other, green);
  expect(theirs).not.toBe(first);
  const { picture_url: second } = await setOwnPicture(admin, blue);
  expect(await stored(first)).toEqual({ movedTo: second });
  const { picture_url: third } = await setOwnPicture(admin, red);
  expect(await stored(first)).toEqual({ movedTo: third });
  expect(await stored(second)).toEqual({ movedTo: third });
  expect((await setOwnPicture(admin, green)).picture_url).toBe(first);
  expect(await stored(first)).toMatchObject({ contentType: 'image/webp' });
  expect(await stored(theirs)).toMatchObject({ contentType: 'image/webp' });
  expect((await getAgent(admin, adminId)).picture_url).toBe(first);
});

test('a removed picture is gone, with all addresses that led to it, and can be removed again', async () => {
  const { admin, operator } = await fixture.newSite();
  const { id } = await newAgent(operator);
  const owner = asAgent(operator, id);
  const { picture_url: first } = await setOwnPicture(owner, base64(await drawn(9, 9, 'green')));
  const { picture_url: second } = await setOwnPicture(owner, base64(await drawn(9, 9, 'blue')));
  expect((await removePicture(admin, id)).picture_url).toBeNull();
  await setOwnPicture(owner, base64(await drawn(9, 9, 'red')));
  await removePicture(admin, id);
  expect((await removePicture(admin, id)).picture_url).toBeNull();
  expect([await stored(first), await stored(second)]).toEqual([undefined, undefined]);
});

test('of many replaced pictures, the last few redirect', async () => {
  const { admin, adminId } = await fixture.newSite();
  const urls: (string | null)[] = [];
  for (let width = 1; width <= 10; width += 1)
    urls.push((await setOwnPicture(admin, base64(await drawn(width, 1, 'green')))).picture_url);
  const { picture_url: movedTo } = await getAgent(admin, adminId);
  expect(await stored(urls[0] ?? null)).toBeUndefined();
  expect(await stored(urls[1] ?? null)).toEqual({ movedTo });
});

test('an agent who leaves the team leaves no picture behind', async () => {
  const { admin, operator } = await fixture.newSite();
  const { id } = await newAgent(operator);
  const { picture_url: url } = await setOwnPicture(asAgent(operator, id), base64(await drawn(9, 9, 'red')));
  await removeAgent(admin, id);
  expect(await stored(url)).toBeUndefined();
});

test.each([
  ['a drawing with scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
  ['the mere beginning of a picture', Buffer.from('\xff\xd8\xff\xe0broken', 'latin1')],
  ['nothing', Buffer.alloc(0)],
])('%s is refused with the reason, and the picture stays as it was', async (_what, content) => {
  const { admin, adminId } = await fixture.newSite();
  const { picture_url: before } = await setOwnPicture(admin, base64(await drawn(9, 9, 'red')));
  await expect(setOwnPicture(admin, base64(content))).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: 'content', message: expect.stringContaining('JPEG, PNG, GIF or WebP') }],
  });
  expect((await getAgent(admin, adminId)).picture_url).toBe(before);
});

test('visitors see three of the online agents, with pictures first, and nobody of another site', async () => {
  const [{ site, operator }, there] = [await fixture.newSite(), await fixture.newSite()];
  const ids: number[] = [];
  for (let count = 0; count < 4; count += 1) ids.push((await newAgent(operator)).id);
  const last = ids[3] ?? 0;
  const { picture_url } = await setOwnPicture(asAgent(operator, last), base64(await drawn(9, 9, 'red')));
  const faces = createTeamFaces(fixture.db, () => new Date());
  const shown = await faces.of(site.id, [...ids, there.adminId]);
  expect(shown.map(({ id }) => id)).toEqual([last, ids[0], ids[1]]);
  expect(shown[0]).toEqual({ id: last, name: 'Ada', picture_url });
  expect(await faces.of(there.site.id, ids)).toEqual([]);
});
