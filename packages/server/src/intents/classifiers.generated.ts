// Written by bench/intents.ts.
export const INTENT_CLASSIFIER = {"classes":["bot","callback","complaint","emergency","goodbye","greeting","okay","person","question","thanks"],"bits":15,"biases":[-1.334,-1.11,0.966,0.696,-0.72,-0.842,-0.804,0.759,3.006,-0.617],"scale":0.135739,"weights":"intents.bin"};
export const LANGUAGE_CLASSIFIER = {"classes":["ar","de","en","es","fr","he","it","ja","nl","pl","pt","tr","uk","zh"],"bits":12,"biases":[1.293,-0.229,-0.087,-0.501,-0.424,1.014,-0.378,-1.019,-0.261,-0.034,-0.216,-0.004,0.682,0.167],"scale":0.123493,"weights":"languages.bin"};
