// Lines are kept in the order in which they are told, and the reaction to a line is done before the teller goes on.
import type { Course } from './course.ts'
import { messageLine } from './message-line.ts'
import type { ShownMessage } from './message-line.ts'
import type { Person, Reaction } from './situation.ts'
import type { Wording } from './wordings.ts'

export interface Recorder {
  /** Tells the line of an event, or of a hook that is asked; the reactions that wait for it act now. */
  event(line: string): void
  request(messages: readonly ShownMessage[]): void
  toolRun(id: string, name: string, args: unknown): void
  /** Notes that something was asked for; the function returned notes how that ended. Lines stand in the order of asking. */
  asked(what: string): (how: string) => void
  /** What was told, and what the agent is left with. */
  course(left: LeftState): Course
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
  const seen = new Map<Reaction, number>()

  const react = (line: string): void => {
    for (const reaction of reactions) {
      if (!line.startsWith(reaction.at)) continue
      const count = (seen.get(reaction) ?? 0) + 1
      seen.set(reaction, count)
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
    asked: (what) => {
      const at = promises.push(`${what} is open`) - 1
      return (how) => {
        promises[at] = `${what} ${how}`
      }
    },
    course: ({ messages, errorMessage }) => ({
      events,
      requests,
      tools,
      transcript: [
        ...messages.map((message) => messageLine(message, wording)),
        ...(errorMessage === undefined ? [] : [`left with the error ${errorMessage}`]),
      ],
      promises: [
        ...promises,
        ...reactions.filter((each) => !isDone(each, seen)).map(({ at }) => `${at} was never told`),
      ],
    }),
  }
}

function isDone(reaction: Reaction, seen: ReadonlyMap<Reaction, number>): boolean {
  return (seen.get(reaction) ?? 0) >= (reaction.nth ?? 1)
}
