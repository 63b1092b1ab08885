import { describe, expect, it } from 'vitest';
import { chooseLanguage } from './languages.ts';

describe('the language of the widget', () => {
  it('is the visitor’s first language that the site speaks, whatever the region', () => {
    expect(chooseLanguage(['gsw', 'de-AT', 'en'], [], 'en')).toBe('de');
    expect(chooseLanguage(['PT_br'], [], 'en')).toBe('pt');
    expect(chooseLanguage(['zh-Hans-CN'], [], 'en')).toBe('zh');
    expect(chooseLanguage(['iw'], [], 'en')).toBe('he');
  });

  it('is one that the site speaks, even if the visitor prefers another', () => {
    expect(chooseLanguage(['de', 'fr-CA'], ['en', 'fr'], 'en')).toBe('fr');
  });

  it('is the site’s own if none matches', () => {
    expect(chooseLanguage(['sw', ''], [], 'nl')).toBe('nl');
    expect(chooseLanguage(['de'], ['fr', 'it'], 'it')).toBe('it');
    expect(chooseLanguage([], ['fr'], 'en')).toBe('fr');
  });
});
