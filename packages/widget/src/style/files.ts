import { adopt } from './adopt.ts';
import style from './files.css?inline';

// Once, for both parts that show files.
adopt(style);
