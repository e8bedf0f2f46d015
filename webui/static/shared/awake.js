// The screen stays on while a game runs, where the browser lets it (only over https, or on the host itself).

let lock = null;

export const canStayAwake = () => "wakeLock" in navigator;

export async function stayAwake() {
  if (!canStayAwake() || document.hidden || lock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
  } catch {
    lock = null; // a low battery refuses
  }
}

document.addEventListener("visibilitychange", stayAwake);
