import { describe, expect, it } from 'vitest';
import { StartError } from '../base/start-error.ts';
import { readMailSettings } from './settings.ts';

describe('SMTP_URL and FOYER_MAIL_FROM', () => {
  it('send no mail if the first is not set', () => {
    expect(readMailSettings({})).toBeUndefined();
    expect(readMailSettings({ SMTP_URL: '', FOYER_MAIL_FROM: 'help@shop.example' })).toBeUndefined();
  });

  it('name the server, its user and who the mail is from', () => {
    expect(
      readMailSettings({
        SMTP_URL: 'smtp://foyer:p%40ss%3Aword@mail.example.com',
        FOYER_MAIL_FROM: 'Lantern & Loom <help@shop.example>',
      }),
    ).toEqual({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      user: 'foyer',
      password: 'p@ss:word',
      from: { name: 'Lantern & Loom', address: 'help@shop.example' },
      domains: [],
    });
    expect(
      readMailSettings({ SMTP_URL: 'smtps://[::1]', FOYER_MAIL_FROM: 'help@shop.example' }),
    ).toMatchObject({
      host: '::1',
      port: 465,
      secure: true,
      user: undefined,
      from: { name: undefined, address: 'help@shop.example' },
    });
  });

  it('are from the server’s user if that is an address', () => {
    const settings = readMailSettings({ SMTP_URL: 'smtp://help%40shop.example:x@mail.example.com:2525' });
    expect(settings).toMatchObject({ port: 2525, from: { address: 'help@shop.example' } });
  });

  it.each([
    ['mail.example.com', 'help@shop.example', 'SMTP_URL'],
    ['http://mail.example.com', 'help@shop.example', 'SMTP_URL'],
    ['smtp://', 'help@shop.example', 'SMTP_URL'],
    ['smtp://u:hunter2@mail.example.com/path', 'help@shop.example', 'SMTP_URL'],
    ['smtp://u:hunter2@mail.example.com?tls=no', 'help@shop.example', 'SMTP_URL'],
    ['smtp://u:%E0%A4hunter2@mail.example.com', 'help@shop.example', 'SMTP_URL'],
    ['smtp://foyer:hunter2@mail.example.com', '', 'FOYER_MAIL_FROM'],
    ['smtp://mail.example.com', 'nobody', 'FOYER_MAIL_FROM'],
    ['smtp://mail.example.com', 'Help <nobody>', 'FOYER_MAIL_FROM'],
    ['smtp://mail.example.com', 'Help\r\nBcc: x@y.example <a@b.example>', 'FOYER_MAIL_FROM'],
    ['', 'nobody', 'FOYER_MAIL_FROM'],
  ])('with the values %j and %j stop the start with one line that names the bad one', (url, from, name) => {
    const read = () => readMailSettings({ SMTP_URL: url, FOYER_MAIL_FROM: from });
    expect(read).toThrow(StartError);
    expect(read).toThrow(name);
    expect(read).not.toThrow(/\n|hunter2/);
  });

  it.each([
    ['Shop.example, shop.de', ['shop.example', 'shop.de']],
    ['*', 'any'],
    ['', []],
  ])('let sites send from the domains %j', (domains, read) => {
    const settings = readMailSettings({
      SMTP_URL: 'smtp://mail.example.com',
      FOYER_MAIL_FROM: 'help@shop.example',
      FOYER_MAIL_DOMAINS: domains,
    });
    expect(settings?.domains).toEqual(read);
  });

  it('stop the start with an invalid domain', () => {
    const read = () => readMailSettings({ FOYER_MAIL_DOMAINS: 'shop.example, @shop' });
    expect(read).toThrow(StartError);
    expect(read).toThrow('FOYER_MAIL_DOMAINS is invalid: "@shop"');
  });
});
