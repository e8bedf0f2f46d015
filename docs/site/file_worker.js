// The search runs in a worker, and browsers run none for pages that are opened as files. There its
// script runs in a frame that nobody sees, and hears and says the same.
"use strict";

class FileWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.append(this.frame);
    const inside = this.frame.contentWindow;
    inside.document.open();
    inside.document.write(
      `<body><script>postMessage = (data) => parent.postMessage(data, "*");
      importScripts = (...urls) => urls.reduce((before, url) => before.then(() =>
        new Promise((done) => {
          const script = document.createElement("script");
          Object.assign(script, {src: url, onload: done});
          document.body.append(script);
        })), Promise.resolve());<\/script><script src="${url}"><\/script></body>`);
    inside.document.close();
    this.loaded = new Promise((done) => inside.addEventListener("load", done));
    window.addEventListener("message", (event) => {
      if (event.source !== inside) return;
      const heard = new MessageEvent("message", {data: event.data});
      this.dispatchEvent(heard);
      this.onmessage?.(heard);
    });
  }

  postMessage(data) {
    this.loaded.then(() => {
      const said = new MessageEvent("message", {data: structuredClone(data)});
      this.frame.contentWindow.dispatchEvent(said);
    });
  }

  terminate() {
    this.frame.remove();
  }
}

if (location.protocol === "file:") window.Worker = FileWorker;
