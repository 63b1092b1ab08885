/** Two soft notes, a fifth apart. */
const NOTES_HZ = [659.25, 987.77];
const NOTE_GAP_S = 0.13;
const NOTE_LENGTH_S = 0.5;
const LOUDNESS = 0.12;

let context: AudioContext | undefined;

/** Browsers allow sound only after the user has touched the page; call it on the first touch. */
export function unlockSound(): void {
  try {
    context ??= new AudioContext();
    void context.resume();
  } catch {
    // No sound here; the title and the notification still tell.
  }
}

/** Plays the chime if sound is possible. */
export function chime(): void {
  if (context?.state !== 'running') return;
  const start = context.currentTime + 0.02;
  for (const [at, hertz] of NOTES_HZ.entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const from = start + at * NOTE_GAP_S;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(LOUDNESS, from + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + NOTE_LENGTH_S);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + NOTE_LENGTH_S);
  }
}
