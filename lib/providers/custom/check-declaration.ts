// Checks declarations and the results of custom parsers with compiled schemas.
import { createCheck } from '../../streams/schema/compiled-validator.ts'
import type { AnswerParts, ProviderDetails } from './declaration-schemas.ts'
import * as compiled from '../generated/declaration-validators.js'

export const checkProviderDetails = createCheck<ProviderDetails>(compiled.ProviderDetails)
export const checkAnswerParts = createCheck<AnswerParts>(compiled.AnswerParts)
