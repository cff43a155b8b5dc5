// Schemas of settings.json and models.json.
// Unknown keys do not fit; a file that a person wrote is read without them, with a warning.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import type { ApiCompat } from '../models/api-compat.ts'
import { Count } from '../values/identifiers.ts'
import { CommandHooks } from './hook-settings.ts'
import { McpServers } from './mcp-servers.ts'
import { ModelPrices, thinkingLevels } from '../models/model.ts'
import { ModelSettings } from './model-roles.ts'
import { Permissions } from './permissions.ts'
import { SecretSettings } from './secret-settings.ts'
import { approvalModes } from '../ports/policy.ts'
import { sandboxModes } from '../ports/sandbox.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { ToolDiscoverySetting } from './tool-discovery-setting.ts'

/** Milliseconds; Node fires a longer timer at once (docs/design/rxjs.md#20). */
const Delay = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })
/** Model names, `provider/id`, tried in order if the model before them fails. */
const Fallbacks = Type.Array(Type.String({ minLength: 1 }))
const compat = Type.Unsafe<ApiCompat>(Type.Ref('ApiCompat'))
const closed = { additionalProperties: false }

/** `settings.json` of the user; durations in milliseconds, 0 = no limit. */
export const Settings = Type.Object(
  {
    model: Type.Optional(Type.String({ minLength: 1 })),
    /** Applies to the session's model; a `models.json` entry with its own value overrides it. */
    fallbacks: Type.Optional(Fallbacks),
    /** Models by role. */
    models: Type.Optional(ModelSettings),
    thinkingLevel: Type.Optional(stringEnum(thinkingLevels)),
    tools: Type.Optional(Type.Array(Type.String())),
    /** MCP servers by name, for every session. */
    mcpServers: Type.Optional(McpServers),
    /** If those tools weigh more, requests leave them out, and `search_tools` finds them. Default 10. */
    toolDiscovery: Type.Optional(ToolDiscoverySetting),
    toolExecution: Type.Optional(stringEnum(['parallel', 'sequential'])),
    steeringMode: Type.Optional(stringEnum(['one-at-a-time', 'all'])),
    followUpMode: Type.Optional(stringEnum(['one-at-a-time', 'all'])),
    /** `interrupt`: a steer skips the calls of the batch that have not started. Default `wait`. */
    steering: Type.Optional(stringEnum(['wait', 'interrupt'])),
    limits: Type.Optional(
      Type.Object(
        {
          turns: Type.Optional(Count),
          tokens: Type.Optional(Count),
          usd: Type.Optional(Type.Number({ minimum: 0 })),
          sameCalls: Type.Optional(Count),
          idleMs: Type.Optional(Delay),
          wallClockMs: Type.Optional(Delay),
        },
        closed,
      ),
    ),
    retry: Type.Optional(
      Type.Object(
        {
          /**
           * How long a request that meets a rate limit or an overload is repeated. Default 600,000; 0: three attempts.
           */
          busyMs: Type.Optional(Delay),
        },
        closed,
      ),
    ),
    /** When a conversation is summarised; counts are tokens. */
    compaction: Type.Optional(
      Type.Object(
        {
          /** False: only `/compact` does. Default true. */
          enabled: Type.Optional(Type.Boolean()),
          /** Stays free for the answer; at most a quarter of the model's window. Default 16,384. */
          reserveTokens: Type.Optional(Count),
          /** Recent messages that stay; at most a third of the window. Default 20,000. */
          keepRecentTokens: Type.Optional(Count),
        },
        closed,
      ),
    ),
    localModels: Type.Optional(
      Type.Object(
        {
          /** How long local endpoints have to list their models; 0: they are not queried. Default 300. */
          withinMs: Type.Optional(Delay),
        },
        closed,
      ),
    ),
    /** False: files are not snapshotted before runs change them, and cannot be restored. Default true. */
    snapshots: Type.Optional(Type.Boolean()),
    /** Where `rxpi auth set` stores keys. Default `auto`: the machine's keychain if it works, else a private file. */
    keyStorage: Type.Optional(stringEnum(['auto', 'keychain', 'file'])),
    /** The background that the terminal UI's colours are made for. Default `auto`: as the terminal reports it. */
    theme: Type.Optional(stringEnum(['auto', 'dark', 'light'])),
    /** Whether the terminal notifies a user who looks elsewhere when a run ends or a question is open. Default `on`. */
    notifications: Type.Optional(stringEnum(['on', 'off'])),
    bash: Type.Optional(
      Type.Object(
        {
          timeoutMs: Type.Optional(Delay),
          /** A command begins in the folder and with the exported variables of the one before. */
          persist: Type.Optional(Type.Boolean()),
          /** A command outside of the sandbox runs in a terminal of the client, if it offers one. */
          clientTerminal: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    /** Which calls ask a person: `ask` all but reads, `writes` changes and commands without a sandbox, `auto` none. */
    approve: Type.Optional(stringEnum(approvalModes)),
    /** Rules about tool calls: `tool` or `tool(pattern)`. */
    permissions: Type.Optional(Permissions),
    /** Secrets in outputs and for commands. */
    secrets: Type.Optional(SecretSettings),
    /** Where bash and jobs run, and what they reach. */
    sandbox: Type.Optional(
      Type.Object(
        {
          /** Default `auto`. */
          mode: Type.Optional(stringEnum(sandboxModes)),
          network: Type.Optional(
            Type.Object(
              {
                /**
                 * `example.com`, `*.example.com`, `example.com:8443`; `registries`: those of the user's package
                 * managers.
                 */
                allow: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
              },
              closed,
            ),
          ),
          /** Absolute folders beside the workspace that commands and file tools may write. */
          writable: Type.Optional(Type.Array(Type.String({ pattern: '^/' }))),
          /** Most processes of a command; 0 = no limit. Default 2,048. */
          processes: Type.Optional(Count),
          /** Largest file that a command may write, in bytes; 0 = no limit, the default. */
          fileBytes: Type.Optional(Count),
        },
        closed,
      ),
    ),
    /** Commands that get events on standard input, and may answer. */
    hooks: Type.Optional(CommandHooks),
    mcp: Type.Optional(
      Type.Object(
        {
          /** Names of variables that the `.mcp.json` of a trusted project may read. Default: none. */
          variables: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }))),
        },
        closed,
      ),
    ),
    /** `extensions.<name>`: settings of an extension; rxpi keeps them and never reads them. */
    extensions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Extensions that run in a worker thread, beside those of \`--isolate\`. */
    isolation: Type.Optional(
      Type.Object(
        {
          /** Names of extensions. */
          extensions: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
          /** MiB of memory that each worker may use. Default 256. */
          memoryMb: Type.Optional(Type.Integer({ minimum: 64, maximum: 16_384 })),
        },
        closed,
      ),
    ),
  },
  { ...closed, $id: 'Settings' },
)
export type Settings = Static<typeof Settings>

/** Keys of `settings.json` that later versions use, with the keys inside if they are known. They have no effect yet. */
export const reservedSettings: Readonly<Record<string, readonly string[]>> = {
  trust: [],
}

const headers = Type.Optional(Type.Record(Type.String(), Type.String()))
const baseUrl = Type.Optional(Type.String({ pattern: '^https?://' }))

/** One model of a custom endpoint; `api`, `baseUrl` and `headers` override those of the endpoint. */
export const ModelsModel = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    name: Type.Optional(Type.String()),
    api: Type.Optional(Type.String({ minLength: 1 })),
    baseUrl,
    headers,
    contextWindow: Type.Optional(Count),
    maxOutput: Type.Optional(Count),
    inputs: Type.Optional(Type.Array(stringEnum(['text', 'image']))),
    reasoning: Type.Optional(Type.Boolean()),
    prices: Type.Optional(ModelPrices),
    fallbacks: Type.Optional(Fallbacks),
    compat: Type.Optional(compat),
  },
  closed,
)

/**
 * One custom endpoint of `models.json`. `apiKey` is a literal, `$VARIABLE` or `!command`, or several of them, used in
 * turn when one reaches a limit; local servers need none.
 */
export const ModelsProvider = Type.Object(
  {
    api: Type.Optional(Type.String({ minLength: 1 })),
    baseUrl,
    apiKey: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 100 })])),
    /** In a value, `$NAME` and `${NAME}` are variables of the environment; `$$` is a dollar sign. */
    headers,
    /** Sends the key as `Authorization: Bearer` too, if the API sends it in another header. */
    authHeader: Type.Optional(Type.Boolean()),
    /** How the endpoint differs from its API's defaults; on a model below, for that model alone. */
    compat: Type.Optional(compat),
    models: Type.Optional(Type.Array(ModelsModel)),
  },
  closed,
)
export type ModelsProvider = Static<typeof ModelsProvider>

/** The name of a provider, the part of `provider/id` before the slash. */
export const providerNamePattern = '^[a-z0-9][a-z0-9._-]{0,63}$'

/** The user's `models.json`. */
export const ModelsFile = Type.Object(
  { providers: Type.Record(Type.String({ pattern: providerNamePattern }), ModelsProvider, closed) },
  { ...closed, $id: 'ModelsFile' },
)
export type ModelsFile = Static<typeof ModelsFile>

// Limits of one run. Absent: the default. 0: no limit.

/** Turns, tokens and USD are budgets; times are milliseconds, at most 2³¹−1. */
export const RunLimits = Type.Object(
  {
    turns: Type.Optional(Count),
    tokens: Type.Optional(Count),
    usd: Type.Optional(Type.Number({ minimum: 0 })),
    /** Identical tool calls in a row, over the run's turns. */
    sameCalls: Type.Optional(Count),
    idleMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
    wallClockMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  },
  { $id: 'RunLimits' },
)
export type RunLimits = Static<typeof RunLimits>
