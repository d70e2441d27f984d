// One citation is open at a time: its number lights up on the left, its note stands on the right at the mark.
export interface Citations {
  open(number: number, moveFocus: boolean): void;
  turn(by: number): void;
  enter(): void;
  leave(): void;
  refresh(): void;
}

const isWide = () => matchMedia("(min-width: 60rem)").matches;

export function followCitations(): Citations {
  let current = 0;
  const sources = () => [...document.querySelectorAll<HTMLElement>(".source")];
  const links = () => [...document.querySelectorAll<HTMLElement>("#answer .cite")];

  function show(number: number): HTMLElement | undefined {
    const all = sources();
    const found = all.find((source) => Number(source.dataset.number) === number);
    if (!found) return undefined;
    current = number;
    for (const source of all) source.hidden = source !== found;
    for (const link of links()) {
      const isOn = Number(link.dataset.cite) === number;
      link.classList.toggle("on", isOn);
      if (isOn) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const where = document.querySelector("#where");
    if (where) where.textContent = `${number} / ${all.length}`;
    // Within the pane only: the page itself stays where its reader is.
    const mark = found.querySelector("mark");
    const pane = found.querySelector<HTMLElement>(".note");
    if (mark && pane) {
      const gap = mark.getBoundingClientRect().top - pane.getBoundingClientRect().top;
      pane.scrollTop += gap - pane.clientHeight / 3;
    }
    return found;
  }

  function open(number: number, moveFocus: boolean): void {
    const found = show(number);
    if (!found) return;
    if (moveFocus) found.focus({ preventScroll: isWide() });
    if (!isWide() && moveFocus) found.scrollIntoView({ block: "start" });
  }

  function turn(by: number): void {
    const count = sources().length;
    if (!count) return;
    open(current ? ((current - 1 + by + count) % count) + 1 : 1, false);
    if (isWide()) links().find((link) => Number(link.dataset.cite) === current)?.focus();
  }

  function refresh(): void {
    const named = /^#source-(\d+)$/.exec(location.hash);
    for (const element of document.querySelectorAll<HTMLElement>("#sources .needs-js")) {
      element.hidden = sources().length < 2;
    }
    current = 0;
    show(named ? Number(named[1]) : 1);
  }

  document.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const link = target?.closest<HTMLElement>("a.cite");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      open(Number(link.dataset.cite), true);
    }
    const button = target?.closest<HTMLElement>("[data-turn]");
    if (button) {
      const by = Number(button.dataset.turn);
      const count = sources().length;
      open(((current - 1 + by + count) % count) + 1, false);
    }
  });

  refresh();
  return {
    open,
    turn,
    enter: () => open(current || 1, true),
    leave: () => (links().find((link) => Number(link.dataset.cite) === current) ?? document.querySelector<HTMLElement>("#question"))?.focus(),
    refresh,
  };
}
