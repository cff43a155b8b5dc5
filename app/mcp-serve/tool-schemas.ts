// The definitions of the tools of `rxpi mcp serve`, as clients see them.
import { thinkingLevels } from '../../lib/streams/models/model.ts'
import type { ThinkingLevel } from '../../lib/streams/models/model.ts'

export interface RunArguments {
  readonly prompt: string
  readonly cwd?: string
  readonly model?: string
  readonly thinking?: ThinkingLevel
  readonly session?: string
}

export interface ContinueArguments {
  readonly session: string
  readonly prompt?: string
}

export interface StatusArguments {
  readonly session?: string
}

export interface ReadArguments {
  readonly session: string
  readonly from?: number
  readonly limit?: number
}

const text = (description: string, maxLength = 4_096) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const
const session = { type: 'string', pattern: '^[a-z2-7]{12}$', description: 'Id of a session, from run' } as const
const longestPrompt = 1_000_000

interface Definition {
  readonly title: string
  readonly description: string
  readonly schema: { readonly type: 'object'; readonly [more: string]: unknown }
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: boolean }
}

const acting = { readOnlyHint: false, openWorldHint: true }
const reading = { readOnlyHint: true, openWorldHint: false }

export const toolDefinitions = {
  run: {
    title: 'Run a coding agent',
    description:
      'Gives a prompt to the coding agent rxpi in a folder of this machine. It reads and changes files and runs commands there, as the rules of the user allow. Returns its last message and the id of the session.',
    schema: {
      type: 'object',
      properties: {
        prompt: text('What to do', longestPrompt),
        cwd: text('Absolute path of the folder; default: that of this server'),
        model: text('provider/id; default: the configured model', 200),
        thinking: { type: 'string', enum: thinkingLevels },
        session: { ...session, description: 'Go on with this session instead of a new one' },
      },
      required: ['prompt'],
      additionalProperties: false,
    },
    annotations: acting,
  },
  continue: {
    title: 'Continue a session',
    description: 'Gives a further prompt to a session of run. Without a prompt, an interrupted run goes on.',
    schema: {
      type: 'object',
      properties: { session, prompt: text('What to do next', longestPrompt) },
      required: ['session'],
      additionalProperties: false,
    },
    annotations: acting,
  },
  status: {
    title: 'Status of sessions',
    description: 'Returns the state of a session; without one, the latest sessions and the runs of this server.',
    schema: { type: 'object', properties: { session }, additionalProperties: false },
    annotations: reading,
  },
  read_session: {
    title: 'Read a session',
    description: 'Returns messages of a session, oldest first. `next` of the result is `from` for the following ones.',
    schema: {
      type: 'object',
      properties: {
        session,
        from: {
          type: 'integer',
          minimum: 0,
          maximum: 9_007_199_254_740_991,
          description: 'Messages after this number',
        },
        limit: { type: 'integer', minimum: 1, maximum: 200, description: 'Default 50' },
      },
      required: ['session'],
      additionalProperties: false,
    },
    annotations: reading,
  },
} as const satisfies Readonly<Record<string, Definition>>
