// Checks declarations and the results of custom parsers with compiled schemas.
import { createCheck } from '../../streams/schema/compiled-validator.ts'
import type { AnswerParts } from './declaration-schemas.ts'
import * as compiled from '../generated/declaration-validators.js'
import type { ProviderDetails } from './declaration-schemas.ts'

export const checkProviderDetails = createCheck<ProviderDetails>(compiled.ProviderDetails)
export const checkAnswerParts = createCheck<AnswerParts>(compiled.AnswerParts)
