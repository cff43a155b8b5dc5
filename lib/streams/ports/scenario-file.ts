// Schema of a scenario file, JSON or YAML.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { capabilities } from './tool.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { Count } from '../values/identifiers.ts'

const closed = { additionalProperties: false }
const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' })
const Words = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 200 })

const PhaseTransition = Type.Object(
  {
    to: Name,
    on: stringEnum(['plan_accepted', 'tool']),
    tool: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    result: Type.Optional(stringEnum(['ok', 'error', 'any'])),
    contains: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  },
  closed,
)

const PhaseStop = Type.Object(
  {
    turns: Type.Optional(Count),
    tokens: Type.Optional(Count),
    usd: Type.Optional(Type.Number({ minimum: 0 })),
    tools: Type.Optional(Words),
  },
  closed,
)

const WrittenPhase = Type.Object(
  {
    name: Name,
    description: Type.Optional(Type.String({ maxLength: 1_024 })),
    prompt: Type.Optional(Type.String({ maxLength: 16_384 })),
    skills: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20 })),
    tools: Type.Optional(Words),
    capabilities: Type.Optional(Type.Array(stringEnum(capabilities), { maxItems: capabilities.length })),
    readOnly: Type.Optional(Type.Boolean()),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    stop: Type.Optional(PhaseStop),
    transitions: Type.Optional(Type.Array(PhaseTransition, { maxItems: 32 })),
  },
  closed,
)

/** A scenario as people write it. `start` is the first phase by default. */
export const ScenarioFile = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.String({ minLength: 1, maxLength: 1_024 }),
    start: Type.Optional(Name),
    phases: Type.Array(WrittenPhase, { minItems: 1, maxItems: 32 }),
  },
  { ...closed, $id: 'ScenarioFile' },
)
export type ScenarioFile = Readonly<Static<typeof ScenarioFile>>
