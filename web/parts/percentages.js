// Chances as people read them: thousandths as per cent, in the way of a language.

import { percent } from "../words.js";

/** `percent(480)` is 48%, `change(-52)` is −5%, `points(-1216)` is −122. */
export function figuresIn(language) {
  const share = new Intl.NumberFormat(language, { style: "percent" });
  const change = new Intl.NumberFormat(language, { style: "percent", signDisplay: "exceptZero" });
  const points = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });
  const minus = (text) => text.replace("-", "−");
  return {
    percent: (perMille) => share.format(percent(perMille) / 100),
    change: (perMille) => minus(change.format(Math.round(perMille / 10) / 100)),
    points: (perMille) => minus(points.format(Math.round(perMille / 10))),
  };
}
