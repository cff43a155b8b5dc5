// Commands about what goes on in a session: its runs, what waits for them, and what people run beside them.
import { Type } from '@sinclair/typebox'
import { Count, SessionId, ShortId } from '../values/identifiers.ts'
import type { ImageContent } from '../messages/message.ts'
import type { RunLimits } from '../config/settings.ts'
import { stringEnum } from '../schema/schema-helpers.ts'

const session = SessionId
const images = Type.Optional(
  Type.Unsafe<readonly ImageContent[]>(Type.Array(Type.Ref('ImageContent'), { maxItems: 100 })),
)
const input = { text: Type.String(), images }
const limits = Type.Optional(Type.Unsafe<RunLimits>(Type.Ref('RunLimits')))
const queue = stringEnum(['steering', 'followUp'])

/** Their fields beside `type`, by command. */
export const runParameters = {
  prompt: {
    session,
    ...input,
    limits,
    whileRunning: Type.Optional(stringEnum(['steer', 'follow_up'])),
    /** JSON Schema: what the last answer of the run is to be, as a document and nothing else. */
    outputSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  steer: { session, ...input },
  follow_up: { session, ...input },
  abort: { session },
  /** A run on what the transcript ends with: an input or a result; after an answer, on what is queued. */
  continue: { session, limits },
  /** Both queues, where none is named. */
  clear_queue: { session, queue: Type.Optional(queue) },
  edit_queued: { session, queueId: ShortId, ...input },
  remove_queued: { session, queueId: ShortId },
  /**
   * Runs a person's own command in the session's folder, by the side of a run that is on. A model is told of it and of what it
   * put out, unless `exclude`.
   */
  user_bash: {
    session,
    command: Type.String({ minLength: 1, maxLength: 1_048_576 }),
    exclude: Type.Optional(Type.Boolean()),
  },
  /** Ends a command that a person ran: SIGTERM, after 2 s SIGKILL. */
  kill_job: { session, jobId: ShortId },
}

/** What they are answered with. */
export const runResults = {
  prompt: {
    status: stringEnum(['started', 'queued']),
    runId: Type.Optional(ShortId),
    queueId: Type.Optional(ShortId),
  },
  steer: { queueId: ShortId },
  follow_up: { queueId: ShortId },
  abort: {},
  continue: { status: stringEnum(['started']), runId: ShortId },
  /** How many inputs were taken out. */
  clear_queue: { cleared: Count },
  edit_queued: {},
  remove_queued: {},
  user_bash: { jobId: ShortId },
  /** False where no such job runs (any more). */
  kill_job: { killed: Type.Boolean() },
}
