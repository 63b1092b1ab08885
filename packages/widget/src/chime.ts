/** Two soft notes, a fourth apart. */
const NOTES_HZ = [783.99, 1046.5];
const NOTE_GAP_S = 0.12;
const NOTE_LENGTH_S = 0.4;
const LOUDNESS = 0.1;

let context: AudioContext | undefined;

/** Browsers allow sound only after the visitor has touched the panel. */
export const unlock = (): void => {
  try {
    context ??= new AudioContext();
    void context.resume();
  } catch {
    // No sound here; the badge and the title still tell.
  }
};

/** Plays, where sound is possible. */
export const chime = (): void => {
  if (context?.state !== 'running') return;
  const start = context.currentTime + 0.02;
  for (const [at, hertz] of NOTES_HZ.entries()) {
    const from = start + at * NOTE_GAP_S;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUDNESS, from + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + NOTE_LENGTH_S);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + NOTE_LENGTH_S);
  }
};
