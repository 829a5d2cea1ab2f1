import { createDraw } from '../../schedule/draw.ts';

const seed = 1;
const label = 0;

/** Numbers from 0 up to 1, always the same ones, so that the same records always get the same verdict. */
export function fixedDraws(): () => number {
  const draw = createDraw(seed);
  let drawn = 0;
  return () => {
    drawn += 1;
    return draw.at(drawn, label);
  };
}
