// Schemas of the commands that start, steer and stop runs, edit queues and run shell commands.
import { Type } from '@sinclair/typebox'
import { Count, SessionId, ShortId, Timestamp, ToolCallId } from '../values/identifiers.ts'
import type { ImageContent } from '../messages/message.ts'
import type { RunLimits } from '../config/settings.ts'
import { nullable, stringEnum } from '../schema/schema-helpers.ts'

const session = SessionId
const images = Type.Optional(
  Type.Unsafe<readonly ImageContent[]>(Type.Array(Type.Ref('ImageContent'), { maxItems: 100 })),
)
/** `/NAME …` at the beginning of `text` names a command of `list_commands`; `expand: false` sends it as it is. */
const input = { text: Type.String(), images, expand: Type.Optional(Type.Boolean()) }
const limits = Type.Optional(Type.Unsafe<RunLimits>(Type.Ref('RunLimits')))
const queue = stringEnum(['steering', 'followUp'])

const job = Type.Object({
  jobId: ShortId,
  command: Type.String(),
  /** The call that started it; absent for a command of the user. */
  toolCallId: Type.Optional(ToolCallId),
  /** True if it runs in a terminal, which takes input. */
  pty: Type.Boolean(),
  running: Type.Boolean(),
  startedAt: Timestamp,
  /** Of an ended job; null if a signal ended it. */
  exitCode: Type.Optional(nullable(Type.Integer())),
  durationMs: Type.Optional(Count),
})

/** The fields beside `type`, by command. */
export const runParameters = {
  prompt: {
    session,
    ...input,
    limits,
    whileRunning: Type.Optional(stringEnum(['steer', 'follow_up'])),
    /** JSON Schema of the run's last answer, which is then a JSON document and nothing else. */
    outputSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  steer: { session, ...input },
  follow_up: { session, ...input },
  abort: { session },
  /**
   * Runs on the end of the transcript: a user message or a tool result; after an assistant message, on queued input.
   */
  continue: { session, limits },
  /** Without a name: both queues. */
  clear_queue: { session, queue: Type.Optional(queue) },
  edit_queued: { session, queueId: ShortId, ...input },
  remove_queued: { session, queueId: ShortId },
  /**
   * Runs a shell command of the user in the session's folder, beside a running run. The model sees the command and its
   * output, unless `exclude` is set.
   */
  user_bash: {
    session,
    command: Type.String({ minLength: 1, maxLength: 1_048_576 }),
    exclude: Type.Optional(Type.Boolean()),
  },
  /** Stops a user's shell command, or a job of a tool: SIGTERM, after 2 s SIGKILL. */
  kill_job: { session, jobId: ShortId },
  /** Lists the running jobs and the last ended ones. */
  list_jobs: { session },
  /** Reads the output after `after` UTF-16 units; `waitMs` waits for more, or for the end. */
  job_output: {
    session,
    jobId: ShortId,
    after: Type.Optional(Count),
    waitMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  },
}

/** The results, by command. */
export const runResults = {
  prompt: {
    /** `handled`: the text named a command of an extension, which has run. */
    status: stringEnum(['started', 'queued', 'handled']),
    /** The text of the extension's command for the person. */
    text: Type.Optional(Type.String()),
    runId: Type.Optional(ShortId),
    queueId: Type.Optional(ShortId),
  },
  steer: { queueId: ShortId },
  follow_up: { queueId: ShortId },
  /** `compaction`: true if a compaction was on, and was cancelled. */
  abort: { compaction: Type.Optional(Type.Boolean()) },
  continue: { status: stringEnum(['started']), runId: ShortId },
  /** The number of removed inputs. */
  clear_queue: { cleared: Count },
  edit_queued: {},
  remove_queued: {},
  user_bash: { jobId: ShortId },
  /** False if no such job runs. */
  kill_job: { killed: Type.Boolean() },
  list_jobs: { jobs: Type.Array(job) },
  job_output: {
    job,
    content: Type.String(),
    /** UTF-16 units before `content`: more than `after` if older output was dropped. */
    offset: Count,
    /** The file with the whole output of an ended job, if its result was cut. */
    fullOutputPath: Type.Optional(Type.String()),
  },
}
