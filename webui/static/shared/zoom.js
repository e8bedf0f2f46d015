// Looking closer at the board: two fingers, a wheel, the keyboard, or buttons.

const MOST = 8;
const STEP = 1.5;
const TAP_PX = 9;

/** Return the left, top, right and bottom of points. */
export function boundsOf(points) {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * Let an SVG be zoomed and moved by changing its viewBox.
 *
 * `onTap(event)` hears taps that moved nothing, `onChange(pxPerMm)` the scale once it rests.
 */
export function zoomable(svg, [width, height], { onTap, onChange }) {
  let view = null;
  let drawn = 0;
  let rest = null;
  let started = null;
  const fingers = new Map();
  const box = () => ({ w: svg.clientWidth || 1, h: svg.clientHeight || 1 });
  const fitted = () => {
    const { w, h } = box();
    const scale = Math.min(w / width, h / height);
    return { x: (width - w / scale) / 2, y: (height - h / scale) / 2, scale };
  };

  /** Return a scale that shows no more than the whole, and no less than there is to see. */
  const allowed = (scale) => Math.min(fitted().scale * MOST, Math.max(fitted().scale, scale));

  function set(next) {
    const { w, h } = box();
    const scale = allowed(next.scale);
    const clamp = (at, size, shown) => (shown >= size ? (size - shown) / 2 : Math.min(size - shown, Math.max(0, at)));
    view = { scale, x: clamp(next.x, width, w / scale), y: clamp(next.y, height, h / scale) };
    cancelAnimationFrame(drawn);
    drawn = requestAnimationFrame(() => svg.setAttribute("viewBox", `${view.x} ${view.y} ${w / scale} ${h / scale}`));
    svg.classList.toggle("is-zoomed", scale > fitted().scale * 1.02);
    clearTimeout(rest);
    rest = setTimeout(() => onChange(view.scale), 120);
  }

  function zoomAt(factor, px, py) {
    const { w, h } = box();
    const [x, y] = [px ?? w / 2, py ?? h / 2];
    const scale = allowed(view.scale * factor);
    set({ scale, x: view.x + x / view.scale - x / scale, y: view.y + y / view.scale - y / scale });
  }

  const spot = (event) => {
    const frame = svg.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const middle = () => {
    const all = [...fingers.values()];
    const x = all.reduce((sum, one) => sum + one.x, 0) / all.length;
    const y = all.reduce((sum, one) => sum + one.y, 0) / all.length;
    return { x, y, apart: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 };
  };

  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    fingers.set(event.pointerId, spot(event));
    started = fingers.size === 1 ? { ...spot(event), isTap: true } : { ...started, isTap: false };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = middle();
    fingers.set(event.pointerId, spot(event));
    const after = middle();
    if (started.isTap && Math.hypot(after.x - started.x, after.y - started.y) < TAP_PX) return;
    // Captured only now: a captured tap would not reach the route below it.
    if (started.isTap) svg.setPointerCapture(event.pointerId);
    started.isTap = false;
    const factor = before.apart && after.apart ? after.apart / before.apart : 1;
    const scale = allowed(view.scale * factor);
    set({ scale, x: view.x + before.x / view.scale - after.x / scale, y: view.y + before.y / view.scale - after.y / scale });
  });
  const lift = (event) => {
    fingers.delete(event.pointerId);
    if (event.type === "pointercancel") started = null;
  };
  // Not before the click: it would go to whatever the tap has opened.
  svg.addEventListener("click", (event) => started?.isTap && onTap(event));
  svg.addEventListener("pointerup", lift);
  svg.addEventListener("pointercancel", lift);
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = spot(event);
    zoomAt(Math.exp(-event.deltaY * 0.0015), at.x, at.y);
  }, { passive: false });

  svg.addEventListener("keydown", (event) => {
    const by = 60 / view.scale;
    const moves = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] };
    if (event.key === "+" || event.key === "=") zoomAt(STEP);
    else if (event.key === "-") zoomAt(1 / STEP);
    else if (event.key === "0") set(fitted());
    else if (event.key in moves) set({ ...view, x: view.x + moves[event.key][0], y: view.y + moves[event.key][1] });
    else return;
    event.preventDefault();
  });

  const fitAgain = () => {
    if (!svg.clientWidth) return; // on a part of the page that is away
    set(view && svg.classList.contains("is-zoomed") ? view : fitted());
  };
  new ResizeObserver(fitAgain).observe(svg);

  return {
    nearer: () => zoomAt(STEP),
    farther: () => zoomAt(1 / STEP),
    whole: () => set(fitted()),
    /** Bring points into view, as [x, y] in millimetres. */
    show: (points) => {
      const [left, top, right, bottom] = boundsOf(points);
      const { w, h } = box();
      const margin = 40;
      const scale = allowed(Math.min(w / (right - left + 2 * margin), h / (bottom - top + 2 * margin)));
      set({ scale, x: (left + right - w / scale) / 2, y: (top + bottom - h / scale) / 2 });
    },
  };
}
