// The form works without this: it adds a preview, an early word on size, and progress.

const form = document.querySelector("form.send");
if (form) enhance(form);

function enhance(form) {
  const inputs = [...form.querySelectorAll("input[type=file]")];
  const button = form.querySelector("button");
  const preview = form.querySelector(".preview");
  const problem = form.querySelector(".problem");
  const progress = [...form.querySelectorAll(".reading > *")];

  const chosen = () => inputs.flatMap((input) => [...input.files]);

  function say(text) {
    problem.textContent = text;
    problem.hidden = !text;
  }

  function setReading(isReading) {
    button.disabled = isReading;
    for (const part of progress) part.hidden = !isReading;
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
    if (text || button.disabled) event.preventDefault();
    else setReading(true);
  });

  // The browser's Back button may bring the page back as it was left.
  addEventListener("pageshow", () => setReading(false));
}
