// The list of this room's schemas that are compiled to validators when rxpi is built.
import type { TSchema } from '@sinclair/typebox'
import { AnswerParts } from './answer-parts.ts'
import { ProviderDetails } from './provider-details.ts'

/** By their `$id`. */
export const declarationSchemas: Record<string, TSchema> = { ProviderDetails, AnswerParts }
