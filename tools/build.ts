import { bundle } from './bundle.ts';

/** `npm run build` writes the JavaScript of the package to `dist`. */
await bundle('dist');
