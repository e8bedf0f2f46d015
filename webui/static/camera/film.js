// The phone's own camera, where the browser gives it: over https, or on this computer itself.

const WANTED = { width: { ideal: 1920 }, height: { ideal: 1080 } };

export const canFilm = () => Boolean(navigator.mediaDevices?.getUserMedia);

/** Return the phone's cameras; they have names once one was allowed. */
export async function lenses() {
  return (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === "videoinput" && device.deviceId);
}

/** An open camera that shows what it sees in a video element. */
export class Film {
  constructor(video, onEnd) {
    this.video = video;
    this.onEnd = onEnd;
    this.track = null;
    this.canvas = document.createElement("canvas");
  }

  get lens() {
    return this.track?.getSettings().deviceId ?? "";
  }

  /** Open a camera, in the place of the one that is open. */
  async open(lens) {
    this.close();
    const which = lens ? { deviceId: { exact: lens } } : { facingMode: { ideal: "environment" } };
    const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...WANTED } });
    [this.track] = stream.getVideoTracks();
    this.track.addEventListener("ended", this.onEnd);
    if (this.track.getCapabilities?.().torch) await this.track.applyConstraints({ advanced: [{ torch: false }] }).catch(() => {});
    this.video.srcObject = stream;
    await this.video.play();
  }

  close() {
    this.track?.removeEventListener("ended", this.onEnd);
    this.track?.stop();
    this.track = null;
    this.video.srcObject = null;
  }

  /** Return what is seen now as a JPEG; null while there is nothing. */
  picture(quality) {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!width || document.hidden) return null;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.canvas.getContext("2d", { alpha: false }).drawImage(this.video, 0, 0);
    return new Promise((done) => this.canvas.toBlob(done, "image/jpeg", quality));
  }
}

// A photo from the phone's own camera program, made as large as is of use.

const MOST_PX = 2560;
const QUALITY = 0.88;

/** Return a file's picture the right way up, as a JPEG; the file itself where the browser does not know its format (HEIC). */
export async function photoOf(file) {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
  if (!picture) return file;
  const scale = Math.min(1, MOST_PX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d", { alpha: false }).drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}
