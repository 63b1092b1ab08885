// Written by bench/intents.ts.
export const INTENT_CLASSIFIER = {"classes":["bot","callback","complaint","emergency","goodbye","greeting","okay","person","question","thanks"],"bits":15,"biases":[-1.256,-1.177,1.077,0.594,-0.684,-0.962,-0.765,0.649,3.189,-0.663],"scale":0.117597,"weights":"intents.bin"};
export const LANGUAGE_CLASSIFIER = {"classes":["ar","de","en","es","fr","he","it","ja","nl","pl","pt","tr","uk","zh"],"bits":12,"biases":[1.206,-0.408,-0.044,-0.397,-0.583,0.951,-0.286,-0.986,-0.208,-0.082,-0.197,0.131,0.593,0.31],"scale":0.123283,"weights":"languages.bin"};
