/**
 * What angry people write, by language: words as `wordsIn` gives them of folded text; `*` stands for any ending, a space
 * for two words in a row. In languages without spaces, a stretch of the text.
 */
interface AngerLanguage {
  /** Says it by itself: an insult, a curse, "this is unacceptable". */
  readonly strong: readonly string[];
  /** Displeasure, or a word that things have too ("terrible"): angry only beside another sign. */
  readonly mild: readonly string[];
}

function language(strong: string, mild: string): AngerLanguage {
  return { strong: strong.split(', '), mild: mild.split(', ') };
}

export const ANGER_LANGUAGES: readonly AngerLanguage[] = [
  // English
  language(
    'fuck*, bullshit, wtf, what the hell, what the heck is wrong, asshole*, you idiots, are you stupid, are you idiots, you stupid, stupid bot, stupid robot, useless bot, this is useless, you are useless, youre useless, this is ridiculous, this is unacceptable, totally unacceptable, completely unacceptable, absolutely unacceptable, this is outrageous, this is a joke, what a joke, this is a scam, you are scammers, youre scammers, you scammers, you scammed me, rip off, ripped me off, you are thieves, youre thieves, you stole my money, worst service, worst company, worst customer service, worst experience, worst support, terrible service, horrible service, awful service, terrible customer service, horrible customer service, so angry, very angry, really angry, i am angry, im angry, i am furious, im furious, i am livid, im livid, i am pissed, im pissed, so pissed, sick of this, sick and tired, fed up, had enough of, i have had enough, ive had enough, lost my patience, losing my patience, i will sue, ill sue, my lawyer, see you in court, this is pathetic, you are pathetic, so frustrated, very frustrated, extremely frustrated, so frustrating, never buying from you again, never buy from you again, waste of time, wasting my time, how dare you, shame on you, go to hell, shut up, screw you',
    'unacceptable, ridiculous, outrageous, useless, terrible, horrible, awful, worst, pathetic, disgusting, disgrace, disgraceful, scam, scammers, thieves, idiot*, stupid, shit, shitty, crap, damn, dammit, hell, frustrat*, annoy*, angry, furious, joke, still nothing, third time, nobody answers, no one answers, nobody helps, no one helps, unbelievable, incompetent, liar*, lied to me, disappointed, unprofessional',
  ),
  // German
  language(
    'scheisse, scheiss*, verdammt noch mal, verarsch*, arschloch, arschlocher, leck mich, zum kotzen, das ist eine frechheit, so eine frechheit, unverschamtheit, das ist unverschamt, das ist inakzeptabel, unzumutbar, saftladen, sauladen, betruger*, abzocke*, abgezockt, ihr spinnt, spinnt ihr, seid ihr bescheuert, sind sie bescheuert, schlechtester service, schlechteste service, miserabler service, nie wieder bei euch, ich bin stinksauer, stinksauer, ich bin sauer, bin wutend, ich habe die nase voll, nase voll, schnauze voll, mir reichts, mir reicht es, jetzt reichts, jetzt reicht es, das reicht jetzt, anwalt einschalten, mein anwalt, meinen anwalt, ich verklage, das ist ein witz, ein schlechter witz, was soll der mist, was soll der scheiss, idiotischer bot, blode maschine, dummer bot',
    'frechheit, unverschamt*, inakzeptabel, lacherlich*, katastrophe, katastrophal*, furchtbar*, schrecklich*, unfahig*, unglaublich*, sauer, wutend, arger*, mist, nervt, nervig, idiot*, bescheuert, enttauscht, luge*, zum dritten mal, niemand antwortet, keiner antwortet, verdammt*, blod*',
  ),
  // French
  language(
    'merde, putain, bordel, connard*, foutez*, vous vous foutez de moi, foutage de gueule, c est inadmissible, inadmissible, c est inacceptable, c est scandaleux, c est honteux, quelle honte, une honte, c est une honte, bande de voleurs, vous etes des voleurs, escrocs, arnaqueurs, c est une arnaque, vous m avez arnaque, vous etes nuls, bot de merde, service nul, service lamentable, service deplorable, pire service, j en ai marre, j en ai assez, ras le bol, marre de, je suis furieux, je suis furieuse, je suis en colere, tres en colere, je suis tres mecontent*, mon avocat, porter plainte, plus jamais chez vous, vous vous moquez de moi, c est du n importe quoi',
    'inacceptable, scandaleux, honteux, lamentable, deplorable, catastroph*, horrible, terrible, nul, nulle, nuls, arnaque, voleurs, idiot*, ridicule, incompetent*, agace*, enerve*, decu, decue, furieux, furieuse, colere, mecontent*, incroyable, personne ne repond, troisieme fois, toujours rien',
  ),
  // Spanish
  language(
    'mierda, joder, carajo, hijos de puta, cono, gilipollas, pendejos, esto es inaceptable, es inaceptable, esto es una verguenza, que verguenza, es una verguenza, es un robo, es una estafa, estafadores, sois unos ladrones, son unos ladrones, ladrones, sinverguenzas, me estan tomando el pelo, me estais tomando el pelo, tomadura de pelo, peor servicio, pesimo servicio, servicio pesimo, servicio horrible, estoy harto, estoy harta, harto de, harta de, estoy furioso, estoy furiosa, estoy enfadad*, estoy enojad*, muy enfadad*, muy enojad*, estoy indignad*, mi abogado, voy a denunciar, os voy a denunciar, los voy a denunciar, nunca mas compro, bot inutil, robot inutil, sois inutiles, son unos inutiles, esto es ridiculo, es el colmo',
    'inaceptable, verguenza, robo, estafa, horrible, terrible, pesimo, pesima, inutil*, idiota*, ridicul*, increible, incompetent*, enfadad*, enojad*, furios*, indignad*, decepcionad*, nadie responde, nadie contesta, tercera vez, mentiros*',
  ),
  // Portuguese
  language(
    'merda, porra, caralho, puta que pariu, filhos da puta, isso e inaceitavel, e inaceitavel, isso e um absurdo, que absurdo, e um absurdo, uma vergonha, que vergonha, e um roubo, e um golpe, golpistas, bando de ladroes, voces sao ladroes, ladroes, picaretas, palhacada, pior servico, pior atendimento, pessimo atendimento, atendimento pessimo, pessimo servico, estou farto, estou farta, de saco cheio, cansei de, estou furios*, estou com raiva, muito irritad*, estou irritad*, muito bravo, estou indignad*, meu advogado, vou processar, vou denunciar, vou no procon, procon, reclame aqui, nunca mais compro, robo inutil, bot inutil, estao de brincadeira, falta de respeito',
    'inaceitavel, absurdo, vergonha, roubo, golpe, horrivel, terrivel, pessim*, inutil, inuteis, idiota*, ridicul*, incompetent*, irritad*, furios*, indignad*, decepcionad*, raiva, ninguem responde, terceira vez, mentiros*, descaso',
  ),
  // Italian
  language(
    'merda, cazzo, vaffanculo, stronz*, coglion*, che schifo, fate schifo, e una vergogna, che vergogna, vergognatevi, vergognoso, inaccettabile, e inaccettabile, siete dei ladri, ladri, siete dei truffatori, truffatori, e una truffa, mi avete truffat*, presa in giro, mi prendete in giro, mi state prendendo in giro, peggior servizio, servizio pessimo, pessimo servizio, servizio scandaloso, sono stufo, sono stufa, stufo di, stufa di, sono furios*, sono arrabbiat*, molto arrabbiat*, incazzat*, sono indignat*, il mio avvocato, vi denuncio, mai piu da voi, bot inutile, siete inutili, siete incapaci, e ridicolo, e assurdo, ne ho abbastanza',
    'vergogna, truffa, pessim*, orribile, terribile, inutil*, idiot*, ridicol*, assurd*, incompetent*, incapac*, arrabbiat*, furios*, indignat*, delus*, schifo, scandalos*, nessuno risponde, terza volta, bugiard*',
  ),
  // Dutch
  language(
    'kut, klote, klootzak*, godverdomme, verdomme, kutbot, belachelijk dit, dit is belachelijk, echt belachelijk, dit is onacceptabel, onacceptabel, dit is schandalig, schandalig, schande, wat een schande, jullie zijn oplichters, oplichters, oplichting, dieven, wat een waardeloze, waardeloze service, slechtste service, slechte service, ik ben woedend, woedend, ik ben boos, heel boos, erg boos, ik ben het zat, het zat, ben er klaar mee, spuugzat, mijn advocaat, rechtszaak, nooit meer bij jullie, stomme bot, domme bot, houd me niet voor de gek, dit slaat nergens op, om gek van te worden',
    'belachelijk*, waardeloos, waardeloze, vreselijk*, verschrikkelijk*, slecht*, boos, idioot, idiote*, stom, stomme, ergerlijk, irritant, teleurgesteld, frustrerend, gefrustreerd, ongelooflijk, niemand reageert, derde keer, leugenaar*',
  ),
  // Polish
  language(
    'kurwa, cholera jasna, cholerny, do dupy, pierdol*, gowno, to jest skandal, skandal, to skandal, to jest niedopuszczalne, niedopuszczalne, to jest nie do przyjecia, nie do przyjecia, zlodzieje, oszusci, jestescie oszustami, oszustwo, kpina, to kpina, to sa kpiny, kpiny, jaja sobie robicie, zarty sobie robicie, najgorsza obsluga, fatalna obsluga, beznadziejna obsluga, mam dosc, mam tego dosc, jestem wsciekl*, wsciekl*, jestem zl*, jestem oburzon*, moj prawnik, prawnika, do sadu, nigdy wiecej u was, glupi bot, bezuzyteczny bot, banda idiotow, wstyd, brak szacunku',
    'okropn*, straszn*, fataln*, beznadziejn*, glupi*, idiot*, irytuj*, zdenerwowan*, rozczarowan*, oburzon*, bezuzyteczn*, niepowazn*, nikt nie odpowiada, trzeci raz, klamc*, dramat, zenada, zenujac*',
  ),
  // Turkish
  language(
    'lanet olsun, kahretsin, siktir*, amk, aptal bot, salak bot, aptal misiniz, salak misiniz, rezalet, bu ne rezalet, tam bir rezalet, rezil*, kabul edilemez, bu kabul edilemez, dolandirici*, dolandirildim, hirsiz*, sacmalik, bu sacmalik, bu ne sacmalik, en kotu hizmet, berbat hizmet, cok kizginim, kizginim, cok sinirliyim, sinirliyim, sinirlendim, cildiracagim, biktim, biktim artik, yeter artik, avukatim, dava acacagim, sikayet edecegim, tuketici mahkemesi, dalga mi geciyorsunuz, alay mi ediyorsunuz, utanin, yazik size, bir daha asla',
    'berbat, korkunc, kotu, sacma, gulunc, yetersiz, hayal kirikligi, kizgin, sinirli, kimse cevap vermiyor, ucuncu kez, yalanci*, ayip, aptal*, salak*, inanilmaz, sikayet*',
  ),
  // Ukrainian
  language(
    'лайно, хрінь, бляха, чорт забирай, дідько, бісить, бісите, мене бісить, задовбали, дістали, ви знущаєтесь, ви знущаєтеся, знущання, це неприпустимо, неприпустимо, це неприйнятно, неприйнятно, це жах, який жах, ганьба, це ганьба, шахраї, ви шахраї, аферисти, злодії, обман, обдурили, найгірший сервіс, жахливий сервіс, жахливе обслуговування, я злий, я зла, дуже злий, дуже зла, я лютую, я обурен*, обурен*, мені набридло, набридло, з мене досить, скільки можна, подам до суду, мій адвокат, ніколи більше, тупий бот, дурний бот, безглуздя, що за маячня, маячня',
    'жахлив*, погано, нікчемн*, тупий, тупі, дурн*, ідіот*, безглузд*, розчарован*, злий, зла, обурлив*, ніхто не відповідає, третій раз, брехун*, брешете, кошмар',
  ),
  // Arabic
  language(
    'اللعنة, تبا, تبا لكم, هذا غير مقبول, غير مقبول, هذا سخيف, مهزلة, هذه مهزلة, عيب عليكم, حسبي الله, حسبي الله ونعم الوكيل, نصابين, انتم نصابين, نصابون, لصوص, انتم لصوص, حرامية, احتيال, هذا احتيال, اسوا خدمة, اسوء خدمة, خدمة سيئة جدا, خدمة زفت, زفت, انا غاضب, انا غاضبة, غاضب جدا, غاضبة جدا, زهقت, طفح الكيل, مللت منكم, سارفع دعوى, ساشتكي, المحامي, بوت غبي, روبوت غبي, تضيعون وقتي, تستهزئون بي',
    'سيئ, سيئة, سيء, غبي, اغبياء, فاشل, فاشلة, فاشلين, كذابين, كذاب, محبط, مستفز, غاضب, غاضبة, مزعج, لا احد يرد, ما احد يرد, للمرة الثالثة, سخيف, فضيحة',
  ),
  // Hebrew
  language(
    'לעזאזל, חרא, זבל, שירות זבל, שירות על הפנים, זה לא מתקבל על הדעת, לא מתקבל על הדעת, זה לא מקובל, חוצפה, איזו חוצפה, בושה, בושה וחרפה, שערוריה, גנבים, אתם גנבים, רמאים, אתם רמאים, נוכלים, הונאה, עוקץ, השירות הכי גרוע, שירות גרוע, שירות מזעזע, אני כועס, אני כועסת, כועס מאוד, כועסת מאוד, אני רותח, אני רותחת, נמאס לי, נמאס, נמאס כבר, עורך דין, אתבע אתכם, אתלונן, בוט מטומטם, בוט טיפש, אתם צוחקים עלי, צוחקים עליי, מבזבזים לי את הזמן',
    'גרוע, נורא, מזעזע, מטומטם, מטומטמים, אידיוט*, טיפש*, מגוחך, מתסכל, מעצבן, כועס, כועסת, עצבני, מאוכזב*, אף אחד לא עונה, פעם שלישית, שקרנים, לא מקצועי',
  ),
];

/** Japanese and Chinese, without spaces: stretches of the text. */
export const ANGER_STRETCHES: AngerLanguage = language(
  'ふざけるな, ふざけんな, ふざけてる, いい加減にし, バカにして, 馬鹿にして, 詐欺だ, 詐欺です, 詐欺じゃ, 最悪の対応, 対応が最悪, 最悪のサービス, サービスが最悪, 最低の対応, 対応が最低, 許せない, 許せません, ありえない対応, 腹が立, 頭にき, 頭に来, 怒って, 怒りが, 訴えます, 訴えるぞ, 弁護士, 消費者センター, 使えないボット, 役に立たない, クソ, くそ野郎, うんざり, 何度言えば, 何回言えば, 金返せ, 返金しろ, 責任者を出せ, 他妈的, 妈的, 傻逼, 垃圾公司, 垃圾服务, 垃圾服務, 垃圾客服, 骗子, 騙子, 骗钱, 騙錢, 诈骗, 詐騙, 太过分, 太過分, 太差劲, 太差勁, 太气人, 太氣人, 气死, 氣死, 忍无可忍, 忍無可忍, 受够了, 受夠了, 烦死了, 煩死了, 我要投诉, 我要投訴, 我要举报, 我要舉報, 消费者协会, 消費者協會, 起诉你们, 起訴你們, 律师函, 律師函, 浪费我的时间, 浪費我的時間, 什么破, 什麼爛, 滚蛋, 滾蛋, 最差的服务, 最差的服務, 黑店, 无耻, 無恥',
  '最悪, 最低, ひどい, 酷い, ありえない, 不満, イライラ, 返事がない, 三回目, 3回目, 嘘つき, 不誠実, 垃圾, 差劲, 差勁, 糟糕, 离谱, 離譜, 荒唐, 失望, 生气, 生氣, 愤怒, 憤怒, 没人回复, 沒人回覆, 第三次, 说谎, 說謊, 欺骗, 欺騙, 坑人',
);
