// Written by bench/likelihood.ts.
export const WEIGHTS = {
  "prose": {
    "measures": {
      "score": 6.22,
      "passage": 4.43,
      "sentence": 4.51,
      "sameness": 0.67,
      "titleSameness": 3.54,
      "closeness": 2.98
    },
    "none": {
      "always": 13.23,
      "said": -12
    }
  },
  "samples": {
    "measures": {
      "score": 10.14,
      "passage": 1,
      "sentence": 0,
      "sameness": 1,
      "titleSameness": 0,
      "closeness": 3.9
    },
    "none": {
      "always": 10.65,
      "said": -7.72
    }
  },
  "few": {
    "measures": {
      "score": 2.9,
      "passage": 5.04,
      "sentence": 2.66,
      "sameness": 2.83,
      "titleSameness": 4.24,
      "closeness": 0
    },
    "none": {
      "always": 13.02,
      "said": -10.29
    }
  }
};
