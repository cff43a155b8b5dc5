// Schemas of the requests of AG-UI: the fields of RunAgentInput that the gateway reads, and a cancel.
import { Type } from '@sinclair/typebox'
import type { Static, TSchema } from '@sinclair/typebox'
import { stringEnum } from '../../../streams/schema/schema-helpers.ts'

/** Ids are part of an `opId`, which has at most 128 characters. */
const id = Type.String({ minLength: 1, maxLength: 100 })

export const RunInput = Type.Object(
  {
    threadId: id,
    runId: id,
    /** The conversation so far; only what the session does not have counts: the last prompt, or results of tools. */
    messages: Type.Array(
      Type.Object({
        role: Type.String(),
        content: Type.Optional(
          Type.Union([Type.String(), Type.Array(Type.Object({ type: Type.String() })), Type.Null()]),
        ),
        /** Of a result. */
        toolCallId: Type.Optional(Type.String()),
        error: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      }),
      { maxItems: 100_000 },
    ),
    /** The tools of the front end. */
    tools: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          parameters: Type.Optional(Type.Unknown()),
        }),
        { maxItems: 64 },
      ),
    ),
    /** Answers to open questions. */
    resume: Type.Optional(
      Type.Array(
        Type.Object({
          interruptId: Type.String(),
          status: stringEnum(['resolved', 'cancelled']),
          payload: Type.Optional(Type.Unknown()),
        }),
        { maxItems: 100 },
      ),
    ),
    forwardedProps: Type.Optional(Type.Unknown()),
  },
  { $id: 'RunInput' },
)
export type RunInput = Static<typeof RunInput>

/** `POST /ag-ui/cancel`. Without a `runId`, the run that is on. */
export const RunCancellation = Type.Object({ threadId: id, runId: Type.Optional(id) }, { $id: 'RunCancellation' })
export type RunCancellation = Static<typeof RunCancellation>

/** The schemas to compile. */
export const runSchemas: Record<string, TSchema> = { RunInput, RunCancellation }
