// A question without a reload: what is being done, each sentence once it is verified, then the answer with its sources.
import type { Citations } from "./citations";
import { events } from "./events";
import type { Recent } from "./recent";

interface Told {
  said?: string;
  html?: string;
  sources?: string;
}

export function followAsking(form: HTMLFormElement, citations: Citations, recent: Recent): void {
  const part = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;
  const [progress, draft, answer, sources, go] = [part("progress"), part("draft"), part("answer"), part("sources"), part("go")];
  const question = document.querySelector<HTMLTextAreaElement>("#question")!;
  let running: AbortController | undefined;

  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });

  function tell(said: string, state: "busy" | "bad" | "sr"): void {
    progress.textContent = said;
    progress.className = `progress ${state}`.trim();
  }

  async function ask(signal: AbortSignal): Promise<void> {
    const response = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form) as unknown as Record<string, string>),
      headers: { Accept: "text/event-stream" },
      signal,
      redirect: "error",
    });
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
      throw new Error(`status ${response.status}`);
    }
    let isDone = false;
    for await (const event of events(response.body)) {
      const told = JSON.parse(event.data) as Told;
      if (event.name === "stage") tell(told.said ?? "", "busy");
      else if (event.name === "sentence") {
        draft.hidden = false;
        draft.insertAdjacentHTML("beforeend", told.html ?? "");
      } else if (event.name === "answer" || event.name === "error") {
        isDone = true;
        finish(told);
      }
    }
    if (!isDone) throw new Error("the stream ended early");
  }

  function finish(told: Told): void {
    draft.replaceChildren();
    draft.hidden = true;
    answer.innerHTML = told.html ?? "";
    sources.innerHTML = told.sources ?? "";
    tell(told.said ?? "", "sr"); // heard, not seen: the answer itself is seen
    citations.refresh();
    answer.querySelector<HTMLElement>(".answer")?.focus({ preventScroll: true });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!question.value.trim()) return;
    running?.abort();
    const own = new AbortController();
    running = own;
    recent.add(question.value.trim());
    history.replaceState(null, "", location.pathname + location.search);
    answer.replaceChildren();
    sources.replaceChildren();
    draft.replaceChildren();
    go.setAttribute("aria-disabled", "true");
    ask(own.signal)
      .catch((error: unknown) => {
        if (own.signal.aborted) return;
        console.error(error instanceof Error ? error.name : "failed"); // never the text of a question or an answer
        draft.hidden = true;
        tell(progress.dataset.failed ?? "", "bad");
      })
      .finally(() => {
        if (running === own) go.removeAttribute("aria-disabled");
      });
  });
}
