// Wraps the handlers of an extension, to record the events that it receives.

type Handler = (...args: unknown[]) => unknown

/** Each event: its type, and the names of its fields. */
export function watchHandlers(handlers: Map<string, Handler[]>, events: string[]): void {
  for (const [type, list] of handlers)
    handlers.set(
      type,
      list.map((handler) => watchHandler(handler, type, events)),
    )
}

export function watchHandler(handler: Handler, type: string, events: string[]): Handler {
  return (...args) => {
    events.push(eventLine(type, args[0]))
    return handler(...args)
  }
}

function eventLine(type: string, event: unknown): string {
  if (typeof event !== 'object' || event === null) return type
  const fields = Object.entries(event)
    .filter(([name, value]) => name !== 'type' && value !== undefined)
    .map(([name]) => name)
    .toSorted()
  return fields.length === 0 ? type : `${type} {${fields.join(', ')}}`
}
