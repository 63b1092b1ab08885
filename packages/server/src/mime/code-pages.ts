const NAMES: Readonly<Record<number, string>> = {
  65001: 'utf-8',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
};

const WESTERN = new TextDecoder('windows-1252');
/** Creating a decoder takes longer than decoding a word. */
const known = new Map<number, typeof WESTERN>();

/** The decoder of a Windows code page; for an unknown one, that of Western Europe. */
export function decoderOf(codePage: number): typeof WESTERN {
  const before = known.get(codePage);
  if (before) return before;
  try {
    const decoder = new TextDecoder(NAMES[codePage] ?? `windows-${codePage}`);
    known.set(codePage, decoder);
    return decoder;
  } catch {
    return WESTERN;
  }
}
