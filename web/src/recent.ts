// Questions are sensitive: they stay in this tab (sessionStorage), per record, and are gone when it is closed.
export interface Recent {
  add(question: string): void;
}

const MOST = 6;

export function followRecent(): Recent {
  const form = document.querySelector<HTMLFormElement>("#ask");
  const box = document.querySelector<HTMLElement>("#recent");
  const list = box?.querySelector("ol");
  const field = document.querySelector<HTMLTextAreaElement>("#question");
  const key = `chartcite:${form?.dataset.place ?? ""}`;
  if (!form) {
    // Away from the records nothing is kept that was asked by whoever was signed in before.
    if (document.querySelector(".login")) clear();
    return { add: () => undefined };
  }

  function read(): string[] {
    try {
      const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      return Array.isArray(found) ? found.filter((one): one is string => typeof one === "string") : [];
    } catch {
      return []; // storage is switched off
    }
  }

  function show(): void {
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
          form?.requestSubmit();
        });
        const item = document.createElement("li");
        item.append(button);
        return item;
      }),
    );
  }

  show();
  return {
    add(question) {
      try {
        sessionStorage.setItem(key, JSON.stringify([question, ...read().filter((one) => one !== question)].slice(0, MOST)));
      } catch {
        return; // storage is switched off or full: nothing is remembered
      }
      show();
    },
  };
}

function clear(): void {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith("chartcite:")) sessionStorage.removeItem(name);
  } catch {
    return;
  }
}
