interface Sound {
  /** Played one after another. */
  notesHz: readonly number[];
  gapSeconds: number;
  noteSeconds: number;
  /** 0 to 1. */
  loudness: number;
}

let context: AudioContext | undefined;
let sounding = 0;

/** Browsers allow sound only after an interaction with the page: call it during the first one. */
export const unlockSound = (): void => {
  try {
    context ??= new AudioContext();
    // Allowed from now on. A context that runs computes silence all day.
    void context.resume();
    void context.suspend();
  } catch {
    // No sound here. Callers also show the notification.
  }
};

/** Plays the notes, if sound is possible. */
export const play = ({ notesHz, gapSeconds, noteSeconds, loudness }: Sound): void => {
  if (!context) return;
  void context.resume();
  const start = context.currentTime + 0.02;
  for (const [at, hertz] of notesHz.entries()) {
    const from = start + at * gapSeconds;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(loudness, from + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + noteSeconds);
    tone.connect(volume).connect(context.destination);
    sounding += 1;
    tone.onended = () => {
      sounding -= 1;
      if (sounding === 0) void context?.suspend();
    };
    tone.start(from);
    tone.stop(from + noteSeconds);
  }
};
