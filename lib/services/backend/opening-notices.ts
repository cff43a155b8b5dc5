// Lists the notices of an opened session: about its files, and about choices that have no effect.
import { trustNotices } from '../../session/create/project-trust.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import { ignoredLevelText, ignoresLevel, modelName } from '../../streams/models/model.ts'
import type { ApprovalMode } from '../../streams/ports/policy.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import type { OpenWarning, SessionLog } from '../../streams/ports/session-log.ts'
import type { FolderTrust } from '../../store/index.ts'
import type { ConfiguredModel, UserConfiguration } from '../models/configured-model.ts'
import type { Notice } from '../contract/server-backend.ts'

interface OpenedFiles {
  readonly configuration: Pick<UserConfiguration, 'warnings'>
  readonly trust: FolderTrust
  /** The warnings of opening the log. */
  readonly notices: readonly OpenWarning[]
  readonly log: Pick<SessionLog, 'readOnly'>
}

/** The notices of the files and the log, then `further`. */
export function openingNotices(
  { configuration, trust, notices, log }: OpenedFiles,
  further: readonly Notice[],
): Notice[] {
  const damage = log.readOnly === undefined ? [] : [log.readOnly]
  return [...configuration.warnings, ...trustNotices(trust), ...notices, ...damage, ...further].map(
    ({ code, message }) => ({ code, message }),
  )
}

interface OpenedChoices {
  /** The options of the command. */
  readonly setup: { readonly thinkingLevel?: ThinkingLevel | undefined; readonly approve?: ApprovalMode | undefined }
  readonly initial?: Pick<SessionState, 'approvalMode'> | undefined
  readonly model: Pick<ConfiguredModel, 'model' | 'unusable'>
  /** The mode that the session opens in; undefined without a policy. */
  readonly mode: ApprovalMode | undefined
}

/** A level that the model does not take, and a mode of the log that is not taken over. */
export function choiceNotices({ setup, initial, model: { model, unusable }, mode }: OpenedChoices): Notice[] {
  const { thinkingLevel = 'off', approve } = setup
  const isIgnored = unusable === undefined && ignoresLevel(model, thinkingLevel)
  const logged = initial?.approvalMode
  const isTightened = approve === undefined && mode !== undefined && logged !== undefined && logged !== mode
  return [
    ...(isIgnored ? [ignoredLevel(thinkingLevel, modelName(model))] : []),
    ...(isTightened ? [tightenedMode(mode, logged)] : []),
  ]
}

function ignoredLevel(level: ThinkingLevel, name: string): Notice {
  return { code: 'thinking_ignored', message: ignoredLevelText(level, name) }
}

function tightenedMode(mode: ApprovalMode, logged: string): Notice {
  const message = `The mode of approval is ${mode}: ${logged}, which this session had, ended with its server or when it was closed. /approve ${logged} or --approve ${logged} sets it again`
  return { code: 'approval_mode', message }
}
