/** Scores of texts by slot for one question; reused between questions to avoid allocations. */
export class ScoreBoard {
  scores = new Float64Array(0);
  /** For each text, one bit for each concept of the question that it contains. */
  masks = new Int32Array(0);
  touched: number[] = [];

  /** Makes room for slots below `slots`, and clears the last question. */
  reset(slots: number): void {
    for (const slot of this.touched) {
      this.scores[slot] = 0;
      this.masks[slot] = 0;
    }
    this.touched = [];
    if (this.scores.length >= slots) return;
    const room = Math.ceil(slots * 1.5);
    this.scores = new Float64Array(room);
    this.masks = new Int32Array(room);
  }

  add(slot: number, score: number): void {
    const before = this.scores[slot] ?? 0;
    if (before === 0) this.touched.push(slot);
    this.scores[slot] = before + score;
  }

  scoreOf(slot: number): number {
    return this.scores[slot] ?? 0;
  }

  maskOf(slot: number): number {
    return this.masks[slot] ?? 0;
  }

  /** The slots with the highest scores, descending; ties by slot. */
  best(most: number): number[] {
    const best: number[] = [];
    for (const slot of this.touched) {
      const score = this.scoreOf(slot);
      let at = best.length;
      while (at > 0 && this.#isBehind(best[at - 1] ?? 0, slot, score)) at -= 1;
      if (at >= most) continue;
      best.splice(at, 0, slot);
      if (best.length > most) best.pop();
    }
    return best;
  }

  #isBehind(other: number, slot: number, score: number): boolean {
    const otherScore = this.scoreOf(other);
    return otherScore < score || (otherScore === score && other > slot);
  }
}
