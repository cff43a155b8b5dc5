// The situation's hooks in the form of our session; their throws are rejections.
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import type { Recorder } from './recorder.ts'
import type { Situation } from './situation.ts'

export function hooksOf({ before, after }: Situation, recording: Recorder): Hooks {
  return {
    ...(before === undefined
      ? {}
      : {
          // async: what the hook throws is to be a rejection
          // oxlint-disable-next-line typescript/require-await
          beforeToolCall: async ({ call: { id, name }, args }) => {
            recording.event(`before(${id})`)
            const reason = before({ id, name, args })
            return reason === undefined ? undefined : { block: { reason } }
          },
        }),
    ...(after === undefined
      ? {}
      : {
          // async: what the hook throws is to be a rejection
          // oxlint-disable-next-line typescript/require-await
          afterToolCall: async ({ call: { id, name }, args, result }) => {
            recording.event(`after(${id})`)
            const { text, ...more } = after({ id, name, args }) ?? {}
            return { ...result, ...more, ...(text === undefined ? {} : { content: [{ type: 'text', text }] }) }
          },
        }),
  }
}
