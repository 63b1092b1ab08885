import { chatEvents } from '@foyer/protocol/chat-events/tr';
import type { HomeTable } from '../../strings.ts';

export const words: HomeTable['words'] = {
  chat: 'Sohbet',
  open: 'Sohbeti aç',
  close: 'Sohbeti kapat',
  home_hello: 'Merhaba',
  home_greeting: 'Size nasıl yardımcı olabiliriz?',
  home_send: 'Bize mesaj gönderin',
  home_online: 'Ekibimiz çevrimiçi',
  home_away: 'Botumuz hemen yardımcı olabilir. Ekibimiz şu an burada değil.',
  home_starters: 'Sık sorulan sorular',
  home_recent: 'Sohbetleriniz',
  home_all_chats: 'Tüm sohbetler',
  reply_few: 'Genellikle birkaç dakika içinde yanıtlıyoruz',
  reply_minutes: {
    one: 'Genellikle yaklaşık {count} dakika içinde yanıtlıyoruz',
    other: 'Genellikle yaklaşık {count} dakika içinde yanıtlıyoruz',
  },
  reply_hours: {
    one: 'Genellikle {count} saat içinde yanıtlıyoruz',
    other: 'Genellikle {count} saat içinde yanıtlıyoruz',
  },
  back_today: 'Bugün saat {time} itibarıyla buradayız',
  back_tomorrow: 'Yarın saat {time} itibarıyla buradayız',
  back_on: 'Yeniden buradayız: {day}, {time}',
  help_search: 'Yardımda arayın',
  loading: 'Yükleniyor…',
  load_failed: 'Yüklenemedi.',
  bot_name: 'Asistan',
  team: 'Ekibimiz',
  you: 'Siz',
  says: '{name}: {text}',
  closed_hint: 'Bu sohbet sona erdi',
  person: 'Bir temsilciyle görüşün',
  retry: 'Yeniden dene',
  offline: 'Çevrimdışısınız. Yeniden çevrimiçi olduğunuzda mesajlar gönderilecek.',
  reconnecting: 'Yeniden bağlanılıyor… Bağlantı kurulunca mesajlar gönderilecek.',
  today: 'Bugün',
  yesterday: 'Dün',
  ...chatEvents,
  unread: { one: '{count} okunmamış mesaj', other: '{count} okunmamış mesaj' },
  powered: 'Foyer ile sohbet',
};

export const loadOthers: HomeTable['loadOthers'] = async () => (await import('../places/tr.ts')).words;
