// Written by bench/likelihood.ts.
export const WEIGHTS = {
  "prose": {
    "measures": {
      "score": 3.27,
      "passage": 3.26,
      "sentence": 4.2,
      "sameness": 0.35,
      "titleSameness": 3.11,
      "closeness": 2.25,
      "rank": 1.46
    },
    "none": {
      "always": 12.26,
      "said": -10.34
    }
  },
  "samples": {
    "measures": {
      "score": 7.77,
      "passage": 0.99,
      "sentence": 0,
      "sameness": 0.59,
      "titleSameness": 0,
      "closeness": 3.65,
      "rank": 1.88
    },
    "none": {
      "always": 10.45,
      "said": -6.35
    }
  },
  "few": {
    "measures": {
      "score": 3.94,
      "passage": 4.48,
      "sentence": 2.62,
      "sameness": 2.68,
      "titleSameness": 4.02,
      "closeness": 0,
      "rank": 0
    },
    "none": {
      "always": 13.09,
      "said": -10.38
    }
  }
};
export const NEARNESS_WEIGHTS = {
  "measure": 2.17,
  "none": 1.12
};
