// A small sign for each game; one that has none of its own gets a stele.

import { draw } from "../elements.js";

const STELE = ["#2a2118", [["path", { d: "M16 42V18a8 8 0 0 1 16 0v24z", fill: "#f3ead7" }]]];
const EMBLEMS = {
  babel: [
    "#1f558f",
    [
      ["path", { d: "M20 10h8v7h5v7h5v7h5v8H5v-8h5v-7h5v-7h5z", fill: "#f3ead7" }],
      ["path", { d: "M21 39v-6a3 3 0 0 1 6 0v6z", fill: "#1f558f" }],
    ],
  ],
  aton: [
    "#7a5410",
    [
      ["circle", { cx: 24, cy: 20, r: 9, fill: "#f0c04f" }],
      [
        "path",
        {
          d: "M24 31v10M15 28l-5 9M33 28l5 9M19.500 30.500l-2.500 10M28.500 30.500l2.500 10",
          stroke: "#f0c04f",
          "stroke-width": 2.6,
          "stroke-linecap": "round",
          fill: "none",
        },
      ],
    ],
  ],
  temple_of_five: [
    "#2f5d46",
    [
      ["path", { d: "M7 7h34v34H7z", fill: "#d9c69b" }],
      ["path", { d: "M13 13h22v22H13z", fill: "#f3ead7" }],
      ["path", { d: "M19 19h10v10H19z", fill: "#c9972b" }],
      ["path", { d: "M7 7l12 12M41 7L29 19M7 41l12-12M41 41L29 29", stroke: "#8a7440", "stroke-width": 1.4 }],
    ],
  ],
  sa_re: [
    "#8f3a22",
    [
      ["path", { d: "M21 33l1.500-20L24 8l1.500 5L27 33z", fill: "#f3ead7" }],
      ["path", { d: "M17 33h14v3H17z", fill: "#f3ead7" }],
      [
        "path",
        {
          d: "M6 41c3-3 6-3 9 0s6 3 9 0s6-3 9 0s6 3 9 0",
          stroke: "#9fd0da",
          "stroke-width": 2.6,
          fill: "none",
          "stroke-linecap": "round",
        },
      ],
    ],
  ],
};

export function emblem(ruleset) {
  const [ground, shapes] = EMBLEMS[ruleset] ?? STELE;
  return draw(
    "svg",
    { viewBox: "0 0 48 48", class: "emblem", "aria-hidden": "true" },
    draw("rect", { width: 48, height: 48, fill: ground }),
    shapes.map(([name, attributes]) => draw(name, attributes)),
  );
}
