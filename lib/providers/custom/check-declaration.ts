// What a user declares, and what their parsers give, is checked by compiled schemas that are read with the first declaration.
import { checker } from '../../streams/schema/checker.ts'
import type { AnswerParts } from './answer-parts.ts'
import * as compiled from '../generated/declaration-validators.js'
import type { ProviderDetails } from './provider-details.ts'

export const checkProviderDetails = checker<ProviderDetails>(compiled.ProviderDetails)
export const checkAnswerParts = checker<AnswerParts>(compiled.AnswerParts)
