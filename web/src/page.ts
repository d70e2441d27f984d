// The page works without this file: a form is posted, a citation is a link. Here it becomes quicker. No text of a
// record is put together in the browser: every fragment comes from the server, escaped there.
import { followAsking } from "./ask";
import { followCitations } from "./citations";
import { followKeys } from "./keys";
import { followRecent } from "./recent";

document.documentElement.classList.add("js");
document.body.classList.add("js");
for (const element of document.querySelectorAll<HTMLElement>(".needs-js")) element.hidden = false;
const citations = followCitations();
const recent = followRecent();
const form = document.querySelector<HTMLFormElement>("#ask");
if (form) followAsking(form, citations, recent);
followKeys(citations);
