// Written by bench/intents.ts.
export const INTENT_CLASSIFIER = {"classes":["bot","callback","complaint","emergency","goodbye","greeting","okay","person","question","thanks"],"bits":15,"biases":[-1.351,-1.106,0.971,0.722,-0.764,-0.869,-0.844,0.774,3.036,-0.57],"scale":0.13023,"weights":"intents.bin"};
export const LANGUAGE_CLASSIFIER = {"classes":["ar","de","en","es","fr","he","it","ja","nl","pl","pt","tr","uk","zh"],"bits":12,"biases":[1.296,-0.214,-0.083,-0.497,-0.426,0.995,-0.385,-1.026,-0.256,-0.041,-0.19,-0.011,0.681,0.158],"scale":0.123809,"weights":"languages.bin"};
