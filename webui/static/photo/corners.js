// The step for a photo in which no board was found: a person drags four rings onto its corners.

import { cornerRings } from "../shared/corner_rings.js";

const form = document.getElementById("corners");
const { photo, label, ...said } = form.dataset;
const picture = new Image();
picture.addEventListener("load", begin);
picture.src = photo;

function begin() {
  const names = [0, 1, 2, 3].map((i) => said[`corner-${i}`]);
  const rings = cornerRings({ href: photo, size: [picture.naturalWidth, picture.naturalHeight], corners: [], names, label });
  form.elements.corners.before(rings.all);
  form.hidden = false;
  form.addEventListener("submit", () => {
    form.elements.corners.value = rings.corners.map((corner) => corner.map((at) => at.toFixed(1)).join()).join(" ");
  });
}
