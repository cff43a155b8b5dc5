// What a user declares, and what their parsers give, is checked by compiled schemas that are read with the first declaration.
import { createCheck } from '../../streams/schema/compiled-validator.ts'
import type { AnswerParts } from './declaration-schemas.ts'
import * as compiled from '../generated/declaration-validators.js'
import type { ProviderDetails } from './declaration-schemas.ts'

export const checkProviderDetails = createCheck<ProviderDetails>(compiled.ProviderDetails)
export const checkAnswerParts = createCheck<AnswerParts>(compiled.AnswerParts)
