// Schemas of the commands about the policy: explain a decision, import rules, list decisions.
// No model is offered these commands (docs/design/security.md#S1).
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { approvalModes } from '../ports/policy.ts'
import { stringEnum } from '../schema/schema-helpers.ts'
import { Count, SessionId, Timestamp, ToolCallId } from '../values/identifiers.ts'
import { sandboxParameter, surroundings, trustParameter } from './surroundings.ts'

export const approvalMode = stringEnum(approvalModes)

/** Which calls ask a person. Default: the user's settings. */
export const approveParameter = Type.Optional(approvalMode)

/** A call that asks a person is refused. `approve` replaces the mode of the user's settings. */
export const runToolParameters = {
  ...trustParameter,
  name: Type.String({ minLength: 1 }),
  args: Type.Record(Type.String(), Type.Unknown()),
  approve: Type.Optional(approvalMode),
  /** Where the call runs, as that of a session. */
  ...sandboxParameter,
}

export const policyParameters = {
  /**
   * Decides about a call as a new session in `cwd` would, without running it. `approve` and `sandbox` replace the
   * modes of the settings; `sandboxed` is an earlier form of `sandbox`, for `workspace` and `off`.
   */
  policy_explain: {
    ...surroundings,
    tool: Type.String({ minLength: 1, maxLength: 200 }),
    args: Type.Record(Type.String(), Type.Unknown()),
    approve: Type.Optional(approvalMode),
    ...sandboxParameter,
    sandboxed: Type.Optional(Type.Boolean()),
    ...trustParameter,
  },
  /** Translates the permissions of a settings file of Claude Code or rxpi (`file`, absolute); writes nothing. */
  policy_import: { ...surroundings, file: Type.String({ minLength: 1 }) },
  /** Lists the decisions in the log of a session, or of a session file (absolute): the last 1,000, or `limit`. */
  policy_audit: {
    session: Type.Optional(SessionId),
    file: Type.Optional(Type.String({ minLength: 1 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  },
}

const decision = stringEnum(['allow', 'ask', 'deny'])

/** Why a call is allowed, asked about or denied; `by` is the layer that decided. */
const verdict = {
  decision,
  reason: Type.String(),
  rule: Type.Optional(Type.String()),
  class: Type.Optional(Type.String()),
  tier: Type.Optional(Type.String()),
  by: Type.String(),
}

/** One rule of an imported file: `rule` in rxpi's form, or the reason why it has none. */
export const ImportedRule = Type.Object({
  list: stringEnum(['allow', 'ask', 'deny']),
  text: Type.String(),
  rule: Type.Optional(Type.String()),
  fault: Type.Optional(Type.String()),
  /** True if the user's settings have the rule already. */
  present: Type.Optional(Type.Boolean()),
})
export type ImportedRule = Static<typeof ImportedRule>

/** One `policy_decision` of a log, with the call that it is about. */
export const AuditedDecision = Type.Object({
  seq: Count,
  at: Timestamp,
  toolCallId: ToolCallId,
  /** Absent if the log does not have the call. */
  tool: Type.Optional(Type.String()),
  args: Type.Optional(Type.Unknown()),
  ...verdict,
  client: Type.Optional(Type.String()),
})
export type AuditedDecision = Static<typeof AuditedDecision>

export const policyResults = {
  /** `pattern` is the allow rule that would cover the call, absent if none may. */
  policy_explain: {
    ...verdict,
    pattern: Type.Optional(Type.String()),
    mode: approvalMode,
    sandboxed: Type.Boolean(),
  },
  /** `notes` name what the file has beside rules, and why it is left out. */
  policy_import: { file: Type.String(), rules: Type.Array(ImportedRule), notes: Type.Array(Type.String()) },
  /** `total` counts all decisions of the log. */
  policy_audit: { decisions: Type.Array(AuditedDecision), total: Count },
}
