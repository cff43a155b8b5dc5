// What can be checked of a provider that a user describes: its data; what it does is functions, which no schema knows.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { providerFailureKinds } from '../../streams/values/failure.ts'
import { Model } from '../../streams/models/model.ts'
import { stringEnum } from '../../streams/schema/schema-helpers.ts'

const closed = { additionalProperties: false }
const { id, name, contextWindow, maxOutput, inputs, reasoning, prices } = Model.properties
const text = Type.String({ minLength: 1 })
const variable = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })
const headerName = Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" })

const DeclaredModel = Type.Object(
  {
    id,
    name,
    contextWindow,
    maxOutput,
    inputs: Type.Optional(inputs),
    reasoning: Type.Optional(reasoning),
    prices,
  },
  closed,
)

/** The models of a provider of one's own; any other id of it is taken as it is, with nothing claimed of it. */
export const DeclaredModels = Type.Array(Type.Union([text, DeclaredModel]))

export const ProviderDetails = Type.Object(
  {
    /** What stands before the slash of `provider/id`. */
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,63}$' }),
    models: Type.Optional(DeclaredModels),
    defaultModel: Type.Optional(text),
    baseUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
    baseUrlVariable: Type.Optional(variable),
    auth: Type.Optional(
      Type.Object({ variable, header: Type.Optional(headerName), prefix: Type.Optional(Type.String()) }, closed),
    ),
    headers: Type.Optional(Type.Record(headerName, Type.String(), closed)),
    errorMap: Type.Optional(Type.Record(Type.String(), stringEnum(providerFailureKinds))),
  },
  { ...closed, $id: 'ProviderDetails' },
)
export type ProviderDetails = Static<typeof ProviderDetails>
