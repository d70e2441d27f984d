// Server-sent events of a POST, which EventSource cannot send.
export interface Event {
  name: string;
  data: string;
}

export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>).getReader();
  let kept = "";
  for (;;) {
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
