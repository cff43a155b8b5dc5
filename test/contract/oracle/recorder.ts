// Records lines in the order of their emission and runs the reactions to a line at once.
import type { AgentTrace } from './agent-trace.ts'
import { messageLine } from './message-line.ts'
import type { ShownMessage } from './message-line.ts'
import type { Person, Reaction } from './situation.ts'
import type { Wording } from './wordings.ts'

export interface Recorder {
  /** Records the line of an event, or of a hook call; reactions to it run now. */
  event(line: string): void
  request(messages: readonly ShownMessage[]): void
  toolRun(id: string, name: string, args: unknown): void
  /** Records a request; the returned function records its end. Lines are in the order of the requests. */
  settlement(what: string): (how: string) => void
  /** The recorded lines, and the final state of the agent. */
  trace(left: LeftState): AgentTrace
}

export interface LeftState {
  readonly messages: readonly ShownMessage[]
  readonly errorMessage?: string | undefined
}

export interface RecorderOptions {
  readonly reactions: readonly Reaction[]
  person(): Person
  readonly wording: Wording
}

export function recorder({ reactions, person, wording }: RecorderOptions): Recorder {
  const events: string[] = []
  const requests: string[] = []
  const tools: string[] = []
  const promises: string[] = []
  const matches = new Map<Reaction, number>()

  const react = (line: string): void => {
    for (const reaction of reactions) {
      if (!line.startsWith(reaction.at)) continue
      const count = (matches.get(reaction) ?? 0) + 1
      matches.set(reaction, count)
      if (count === (reaction.nth ?? 1)) reaction.act(person())
    }
  }
  const event = (line: string): void => {
    events.push(line)
    react(line)
  }
  return {
    event,
    request: (messages) => {
      event('ask')
      requests.push(messages.map((message) => messageLine(message, wording)).join(' · ') || 'nothing')
    },
    toolRun: (id, name, args) => {
      event(`run(${id})`)
      tools.push(`${id} ${name} ${JSON.stringify(args)}`)
    },
    settlement: (what) => {
      const at = promises.push(`${what} is open`) - 1
      return (how) => {
        promises[at] = `${what} ${how}`
      }
    },
    trace: ({ messages, errorMessage }) => ({
      events,
      requests,
      tools,
      transcript: [
        ...messages.map((message) => messageLine(message, wording)),
        ...(errorMessage === undefined ? [] : [`left with the error ${errorMessage}`]),
      ],
      promises: [
        ...promises,
        ...reactions.filter((each) => !isDone(each, matches)).map(({ at }) => `${at} was never told`),
      ],
    }),
  }
}

function isDone(reaction: Reaction, matches: ReadonlyMap<Reaction, number>): boolean {
  return (matches.get(reaction) ?? 0) >= (reaction.nth ?? 1)
}
