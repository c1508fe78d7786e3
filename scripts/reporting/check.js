// Only for PAGE.html#check: says in data attributes of <body> how many plots are drawn, what is wrong with the others, and how high the page is.
if (location.hash === "#check") {
  const faults = [];
  let drawn = 0;
  const closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach((one) => { one.open = true; });
  document.querySelectorAll("svg.plot").forEach((plot, i) => {
    const before = faults.length;
    const fault = (words) => faults.push(`plot ${i + 1} (${plot.querySelector("title")?.textContent}): ${words}`);
    const box = plot.getBoundingClientRect();
    if (!(box.width > 0 && box.height > 0)) fault("has no size");
    const marks = plot.querySelectorAll(".mark");
    if (marks.length === 0 || String(marks.length) !== plot.dataset.marks) fault(`${marks.length} marks instead of ${plot.dataset.marks}`);
    for (const one of [...marks, ...plot.querySelectorAll("text, line")]) {
      const at = one.getBoundingClientRect();
      const inside = at.left >= box.left - 1 && at.right <= box.right + 1 && at.top >= box.top - 1 && at.bottom <= box.bottom + 1;
      if (!inside) fault(`${one.textContent || one.getAttribute("class")} lies outside`);
      if (!(at.width > 0 || at.height > 0)) fault(`${one.textContent || one.getAttribute("class")} has no size`);
    }
    if (faults.length === before) drawn += 1;
  });
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is wider than its window: ${document.documentElement.scrollWidth} px`);
  closed.forEach((one) => { one.open = false; });
  document.body.dataset.height = document.documentElement.scrollHeight;
  document.body.dataset.drawn = drawn;
  document.body.dataset.faults = faults.length;
  if (faults.length) document.body.dataset.fault = faults.slice(0, 12).join("; ");
}
