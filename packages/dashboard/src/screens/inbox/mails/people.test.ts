import { expect, it } from 'vitest';
import { badAddress, peopleText, readPeople } from './people.ts';

it('reads addresses with and without names, with the separators that people use', () => {
  expect(readPeople('sam@x.example, "Ada L." <ada@x.example>;\n bob@x.example,')).toEqual([
    { name: null, address: 'sam@x.example' },
    { name: 'Ada L.', address: 'ada@x.example' },
    { name: null, address: 'bob@x.example' },
  ]);
  expect(readPeople(' , ')).toEqual([]);
});

it('writes them as it reads them', () => {
  const text = 'Sam <sam@x.example>, ada@x.example';
  expect(peopleText(readPeople(text))).toBe(text);
});

it('names the first invalid address', () => {
  expect(badAddress(readPeople('sam@x.example, sam'))).toBe('sam');
  expect(badAddress(readPeople('sam@x.example'))).toBeUndefined();
});
