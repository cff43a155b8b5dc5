// Schema of hooks that are commands: programs of the user that get an event as JSON on standard input.
// The form is that of Claude Code, so that its scripts work.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'

const closed = { additionalProperties: false }

const CommandHook = Type.Object(
  {
    type: Type.Literal('command'),
    /** A line for `sh`, run in the session's folder. */
    command: Type.String({ minLength: 1, maxLength: 32_768 }),
    /** Seconds until it is ended. Default 60. */
    timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: 600 })),
  },
  closed,
)
export type CommandHook = Static<typeof CommandHook>

const HookGroup = Type.Object(
  {
    /** A regular expression for the whole name of a tool, or of what began the session. Default: every one. */
    matcher: Type.Optional(Type.String({ maxLength: 1_000 })),
    hooks: Type.Array(CommandHook, { maxItems: 100 }),
  },
  closed,
)
export type HookGroup = Static<typeof HookGroup>

const Groups = Type.Optional(Type.Array(HookGroup, { maxItems: 100 }))

/** The commands by event. */
export const CommandHooks = Type.Object(
  {
    /** Before a tool call is decided: may deny it, ask about it or change its arguments. */
    PreToolUse: Groups,
    /** After a tool call that ran: may add to its result. */
    PostToolUse: Groups,
    /** Before an input is accepted: may refuse it, or add a note for the model. */
    UserPromptSubmit: Groups,
    /** Before a run ends by itself: may let it go on. */
    Stop: Groups,
    /** Before the first request of a session that was opened: may add a note for the model. */
    SessionStart: Groups,
    /** When a question waits for a person, or the session has waited for a minute: only observes. */
    Notification: Groups,
    /** Before older messages are summarised: may refuse it. */
    PreCompact: Groups,
    /** After a session was closed. */
    SessionEnd: Groups,
  },
  closed,
)
export type CommandHooks = Static<typeof CommandHooks>
export type HookEventName = keyof CommandHooks
