// Keys for whoever reads many answers. None of them works while something is being written.
import type { Citations } from "./citations";

export function followKeys(citations: Citations): void {
  const help = document.querySelector<HTMLDialogElement>("#keys");
  const question = document.querySelector<HTMLTextAreaElement>("#question, [data-focus]");
  document.querySelector("#keys-open")?.addEventListener("click", () => help?.showModal());

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help?.open) return;
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    const isWriting = target.matches("input, textarea, select");
    if (event.key === "Escape") {
      if (isWriting) target.blur();
      else citations.leave();
      return;
    }
    if (isWriting) return;
    const isLink = target.matches("a.cite");
    const acts: Record<string, () => void> = {
      "/": () => question?.focus(),
      j: () => citations.turn(1),
      k: () => citations.turn(-1),
      "?": () => help?.showModal(),
    };
    if (!target.closest(".note")) {
      acts["ArrowRight"] = () => citations.turn(1);
      acts["ArrowLeft"] = () => citations.turn(-1);
    }
    if (isLink || target === document.body) acts["Enter"] = () => citations.enter();
    const act = acts[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
}
