// The form works without this: it adds a preview, an early word on size, and progress: how many photos
// are read before this one.

const LOOK_MS = 2000;

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

  const chosen = () => inputs.flatMap((input) => [...input.files]);

  function say(text) {
    problem.textContent = text;
    problem.hidden = !text;
  }

  function setReading(isReading) {
    button.disabled = isReading;
    for (const part of progress) part.hidden = !isReading;
    reading.textContent = usual;
    clearInterval(looking);
    if (isReading) looking = setInterval(look, LOOK_MS);
  }

  async function look() {
    try {
      const { before } = await (await fetch(`/photos/before/${form.elements.ticket.value}`)).json();
      reading.textContent = before ? form.dataset.before.replace("{n}", before) : usual;
    } catch {
      // The photo has the line for itself, or its page is on the way.
    }
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
