// Schemas of the commands by which people answer questions and choose which calls ask or run.
import { Type } from '@sinclair/typebox'
import { approvalModes } from '../ports/policy.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { RequestId, SessionId } from '../values/identifiers.ts'
import { scenarioParameters, scenarioResults } from './scenario-commands.ts'

/** The fields beside `type`, by command. */
export const approvalParameters = {
  /**
   * Sets which tool calls ask, from the next decision on. Open approvals that the mode does not ask for are allowed.
   */
  set_approval_mode: { session: SessionId, mode: stringEnum(approvalModes) },
  /**
   * Answers a `ui_request` or a `question`; the first answer wins. Only clients that sent `hello {ui: true}` may
   * answer. `outcome` is one of an approval's `choices`, true or false (`confirm`), one of the `options` or null
   * (`select`), a text or null (`input`). `text` explains a `deny` to the model. Of a `question` it is `{choice,
   * pattern?, text?, values?}`: `choice` is one of its `choices`, `pattern` an edited rule with `session` or `always`,
   * `text` an explanation with `deny`.
   */
  ui_response: {
    session: SessionId,
    requestId: RequestId,
    outcome: Type.Unknown(),
    text: Type.Optional(Type.String({ maxLength: 65_536 })),
  },
  ...scenarioParameters,
}

/** The results, by command. */
export const approvalResults = { set_approval_mode: {}, ui_response: {}, ...scenarioResults }
