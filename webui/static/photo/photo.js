// The form works without this: it adds a preview, an early word on size, and progress: whether the
// photo is on its way, how many are read before it, and for how long it has been read once that is long.

const LOOK_MS = 2000;
const LONG_S = 10; // Seconds between two words on how long it takes.

const form = document.querySelector("form.send");
if (form) enhance(form);

function enhance(form) {
  const inputs = [...form.querySelectorAll("input[type=file]")];
  const button = form.querySelector("button");
  const preview = form.querySelector(".preview");
  const problem = form.querySelector(".problem");
  const progress = [...form.querySelectorAll(".reading > *")];
  const reading = form.querySelector("[data-part=reading]");
  const usual = reading.textContent;
  let looking = 0;
  let begun = 0; // When the photo was first seen to be read.

  const chosen = () => inputs.flatMap((input) => [...input.files]);

  function say(text) {
    problem.textContent = text;
    problem.hidden = !text;
  }

  function setReading(isReading) {
    button.disabled = isReading;
    for (const part of progress) part.hidden = !isReading;
    reading.textContent = usual;
    begun = 0;
    clearInterval(looking);
    if (isReading) looking = setInterval(look, LOOK_MS);
  }

  async function look() {
    try {
      const { before } = await (await fetch(`/photos/before/${form.elements.ticket.value}`)).json();
      if (before === 0) begun ||= Date.now();
      reading.textContent = before ? form.dataset.before.replace("{n}", before) : begun ? howLong() : form.dataset.sending;
    } catch {
      // The photo has the line for itself, or its page is on the way.
    }
  }

  function howLong() {
    const long = LONG_S * Math.floor((Date.now() - begun) / 1000 / LONG_S);
    return long ? form.dataset.still.replace("{n}", long) : usual;
  }

  function complaint(files) {
    if (!files.length) return form.dataset.noFile;
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    return bytes > Number(form.dataset.mostBytes) ? form.dataset.tooLarge : "";
  }

  function show(file) {
    URL.revokeObjectURL(preview.src);
    preview.hidden = true; // until it loads: a browser may not know the format
    if (file) preview.src = URL.createObjectURL(file);
  }

  preview.addEventListener("load", () => (preview.hidden = false));

  for (const input of inputs) {
    input.addEventListener("change", () => {
      for (const other of inputs) if (other !== input) other.value = "";
      const files = chosen();
      say(files.length ? complaint(files) : "");
      show(files[0]);
    });
  }

  form.addEventListener("submit", (event) => {
    const text = complaint(chosen());
    say(text);
    if (text || button.disabled) return event.preventDefault();
    form.elements.ticket.value = crypto.getRandomValues(new Uint32Array(4)).join("-");
    setReading(true);
  });

  // The browser's Back button may bring the page back as it was left.
  addEventListener("pageshow", () => setReading(false));
}
