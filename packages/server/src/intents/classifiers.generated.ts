// Written by bench/intents.ts.
export const INTENT_CLASSIFIER = {"classes":["bot","callback","complaint","emergency","goodbye","greeting","okay","person","question","thanks"],"bits":15,"biases":[-1.315,-1.032,0.987,0.705,-0.666,-0.822,-0.793,0.788,2.713,-0.565],"scale":0.1284,"weights":"intents.bin"};
export const LANGUAGE_CLASSIFIER = {"classes":["ar","de","en","es","fr","he","it","ja","nl","pl","pt","tr","uk","zh"],"bits":12,"biases":[1.282,-0.207,-0.116,-0.462,-0.489,0.951,-0.349,-1.063,-0.258,-0.068,-0.172,0.046,0.661,0.246],"scale":0.122844,"weights":"languages.bin"};
