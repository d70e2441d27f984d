"use strict";
(() => {
  // src/events.ts
  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let kept = "";
    for (; ; ) {
      const { value, done } = await reader.read();
      kept += value ?? "";
      const blocks = kept.split("\n\n");
      kept = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = block.split("\n");
        const name = fields.find((line) => line.startsWith("event: "))?.slice(7) ?? "message";
        const data = fields.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
        if (data) yield { name, data };
      }
      if (done) return;
    }
  }

  // src/ask.ts
  function followAsking(form2, citations2, recent2) {
    const part = (id) => document.querySelector(`#${id}`);
    const [progress, draft, answer, sources, go] = [part("progress"), part("draft"), part("answer"), part("sources"), part("go")];
    const question = document.querySelector("#question");
    let running;
    question.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        form2.requestSubmit();
      }
    });
    function tell(said, state) {
      progress.textContent = said;
      progress.className = `progress ${state}`.trim();
    }
    async function ask(signal) {
      const response = await fetch(form2.action, {
        method: "POST",
        body: new URLSearchParams(new FormData(form2)),
        headers: { Accept: "text/event-stream" },
        signal,
        redirect: "error"
      });
      if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
        throw new Error(`status ${response.status}`);
      }
      let isDone = false;
      for await (const event of events(response.body)) {
        const told = JSON.parse(event.data);
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
    function finish(told) {
      draft.replaceChildren();
      draft.hidden = true;
      answer.innerHTML = told.html ?? "";
      sources.innerHTML = told.sources ?? "";
      tell(told.said ?? "", "sr");
      citations2.refresh();
      answer.querySelector(".answer")?.focus({ preventScroll: true });
    }
    form2.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!question.value.trim()) return;
      running?.abort();
      const own = new AbortController();
      running = own;
      recent2.add(question.value.trim());
      history.replaceState(null, "", location.pathname + location.search);
      answer.replaceChildren();
      sources.replaceChildren();
      draft.replaceChildren();
      go.setAttribute("aria-disabled", "true");
      ask(own.signal).catch((error) => {
        if (own.signal.aborted) return;
        console.error(error instanceof Error ? error.name : "failed");
        draft.hidden = true;
        tell(progress.dataset.failed ?? "", "bad");
      }).finally(() => {
        if (running === own) go.removeAttribute("aria-disabled");
      });
    });
  }

  // src/citations.ts
  var isWide = () => matchMedia("(min-width: 60rem)").matches;
  function followCitations() {
    let current = 0;
    const sources = () => [...document.querySelectorAll(".source")];
    const links = () => [...document.querySelectorAll("#answer .cite")];
    function show(number) {
      const all = sources();
      const found = all.find((source) => Number(source.dataset.number) === number);
      if (!found) return void 0;
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
      const mark = found.querySelector("mark");
      const pane = found.querySelector(".note");
      if (mark && pane) {
        const gap = mark.getBoundingClientRect().top - pane.getBoundingClientRect().top;
        pane.scrollTop += gap - pane.clientHeight / 3;
      }
      return found;
    }
    function open(number, moveFocus) {
      const found = show(number);
      if (!found) return;
      if (moveFocus) found.focus({ preventScroll: isWide() });
      if (!isWide() && moveFocus) found.scrollIntoView({ block: "start" });
    }
    function turn(by) {
      const count = sources().length;
      if (!count) return;
      open(current ? (current - 1 + by + count) % count + 1 : 1, false);
      if (isWide()) links().find((link) => Number(link.dataset.cite) === current)?.focus();
    }
    function refresh() {
      const named = /^#source-(\d+)$/.exec(location.hash);
      for (const element of document.querySelectorAll("#sources .needs-js")) {
        element.hidden = sources().length < 2;
      }
      current = 0;
      show(named ? Number(named[1]) : 1);
    }
    document.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target : null;
      const link = target?.closest("a.cite");
      if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
        event.preventDefault();
        open(Number(link.dataset.cite), true);
      }
      const button = target?.closest("[data-turn]");
      if (button) {
        const by = Number(button.dataset.turn);
        const count = sources().length;
        open((current - 1 + by + count) % count + 1, false);
      }
    });
    refresh();
    return {
      open,
      turn,
      enter: () => open(current || 1, true),
      leave: () => (links().find((link) => Number(link.dataset.cite) === current) ?? document.querySelector("#question"))?.focus(),
      refresh
    };
  }

  // src/keys.ts
  function followKeys(citations2) {
    const help = document.querySelector("#keys");
    const question = document.querySelector("#question, [data-focus]");
    document.querySelector("#keys-open")?.addEventListener("click", () => help?.showModal());
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || help?.open) return;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      const isWriting = target.matches("input, textarea, select");
      if (event.key === "Escape") {
        if (isWriting) target.blur();
        else citations2.leave();
        return;
      }
      if (isWriting) return;
      const isLink = target.matches("a.cite");
      const acts = {
        "/": () => question?.focus(),
        j: () => citations2.turn(1),
        k: () => citations2.turn(-1),
        "?": () => help?.showModal()
      };
      if (!target.closest(".note")) {
        acts["ArrowRight"] = () => citations2.turn(1);
        acts["ArrowLeft"] = () => citations2.turn(-1);
      }
      if (isLink || target === document.body) acts["Enter"] = () => citations2.enter();
      const act = acts[event.key];
      if (act) {
        event.preventDefault();
        act();
      }
    });
  }

  // src/recent.ts
  var MOST = 6;
  function followRecent() {
    const form2 = document.querySelector("#ask");
    const box = document.querySelector("#recent");
    const list = box?.querySelector("ol");
    const field = document.querySelector("#question");
    const key = `chartcite:${form2?.dataset.place ?? ""}`;
    if (!form2) {
      if (document.querySelector(".login")) clear();
      return { add: () => void 0 };
    }
    function read() {
      try {
        const found = JSON.parse(sessionStorage.getItem(key) ?? "[]");
        return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
      } catch {
        return [];
      }
    }
    function show() {
      if (!box || !list) return;
      const known = read();
      box.hidden = known.length === 0;
      list.replaceChildren(
        ...known.map((question) => {
          const button = document.createElement("button");
          button.type = "button";
          button.textContent = question;
          button.addEventListener("click", () => {
            if (field) field.value = question;
            form2?.requestSubmit();
          });
          const item = document.createElement("li");
          item.append(button);
          return item;
        })
      );
    }
    show();
    return {
      add(question) {
        try {
          sessionStorage.setItem(key, JSON.stringify([question, ...read().filter((one) => one !== question)].slice(0, MOST)));
        } catch {
          return;
        }
        show();
      }
    };
  }
  function clear() {
    try {
      for (const name of Object.keys(sessionStorage)) if (name.startsWith("chartcite:")) sessionStorage.removeItem(name);
    } catch {
      return;
    }
  }

  // src/page.ts
  document.documentElement.classList.add("js");
  document.body.classList.add("js");
  for (const element of document.querySelectorAll(".needs-js")) element.hidden = false;
  var citations = followCitations();
  var recent = followRecent();
  var form = document.querySelector("#ask");
  if (form) followAsking(form, citations, recent);
  followKeys(citations);
})();
