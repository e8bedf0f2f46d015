// Has the browser keep the page that it shows where the computer does not answer.

if ("serviceWorker" in navigator && isSecureContext) {
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true }); // after all that the page itself needs
}

function register() {
  // A certificate that this phone does not trust refuses it: then there is no such page, and no harm.
  navigator.serviceWorker.register("/service-worker.js").catch(() => null);
}
