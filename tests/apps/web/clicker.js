// Plays the game shown to its end by random clicks on the lit places and the buttons; returns how many it made.
async ([seed, limit]) => {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const any = (list) => list[Math.floor(random() * list.length)];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const lit = () => all("#board .lit");
  const buttons = () => all("#choices button").filter((each) => !/^(Back|Play on)/.test(each.textContent));
  const isOver = () => all("#choices button").some((each) => each.textContent === "Rematch");
  const shown = () =>
    [
      document.getElementById("status").textContent,
      all("#turns .turn").length,
      all("#board .lit, #board .chosen").map((each) => `${each.dataset.place}${each.classList}`),
      all("#choices button").map((each) => each.textContent),
    ].join(" ");
  const later = () => new Promise((resolve) => setTimeout(resolve, 10));

  const click = (place) => {
    const box = place.getBoundingClientRect();
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, button: 0 };
    place.dispatchEvent(new PointerEvent("pointerdown", at));
    place.dispatchEvent(new PointerEvent("pointerup", at));
  };

  for (let clicks = 0; clicks < limit; clicks++) {
    const deadline = performance.now() + 60000;
    while (!isOver() && !lit().length && !buttons().length) {
      if (performance.now() > deadline) throw new Error(`nothing to click: ${shown()}`);
      await later();
    }
    if (isOver()) return clicks;
    const before = shown();
    const places = lit();
    const made = buttons();
    if (!places.length || (made.length && random() < 0.3)) any(made).click();
    else click(any(places));
    const soon = performance.now() + 250; // a click may change nothing
    while (shown() === before && performance.now() < soon) await later();
  }
  throw new Error(`not over after ${limit} clicks: ${shown()}`);
};
