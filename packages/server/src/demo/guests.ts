import type { Guest } from './stage.ts';

const guest = (name: string, city: string, orders: number): Guest => {
  const first = name.split(' ')[0]?.toLowerCase() ?? '';
  return { key: `demo-${first}`, name, email: `${first}@visitor.example`, city, orders };
};

/** The visitors of the last weeks. */
export const GUESTS = {
  lina: guest('Lina Petersen', 'Groningen', 4),
  tom: guest('Tom Achterberg', 'Utrecht', 1),
  sofia: guest('Sofia Rossi', 'Milano', 2),
  noor: guest('Noor van Dijk', 'Rotterdam', 3),
  hugo: guest('Hugo Martin', 'Lyon', 6),
  amara: guest('Amara Okafor', 'Antwerpen', 1),
  yusuf: guest('Yusuf Demir', 'Köln', 2),
  elif: guest('Elif Kaya', 'Berlin', 5),
} as const;

export type GuestName = keyof typeof GUESTS;
