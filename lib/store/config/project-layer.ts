// Reads the settings of a trusted project: those that tighten the user's count, others are reported.
// Guarantees: an invalid file is refused, because its deny rules would be lost without a word.
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { CommandHooks } from '../../streams/config/hook-settings.ts'
import type { Permissions } from '../../streams/config/permissions.ts'
import type { Settings } from '../../streams/config/settings.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import { isRecord } from '../../streams/values/json.ts'
import { projectSettingsPath } from '../trust/gated-files.ts'
import { checkSettingsFile, maxNamed } from './configuration-files.ts'
import type { CheckedSettings } from './configuration-files.ts'
import { settingAt, withSetting } from './edit-settings.ts'
import { checkJsonText } from './read-json-file.ts'
import { settingKeys } from './setting-keys.ts'
import { tighteningRules, withoutRule } from './tightening.ts'
import type { TighteningFacts } from './tightening.ts'

/** A project whose settings a person trusts. */
export interface TrustedProject {
  /** Absolute. */
  readonly folder: string
  /** The content of its `settings.json`, as it was hashed. Absent: it has none. */
  readonly settings?: Buffer
}

export interface ProjectLayer {
  /** Its `settings.json`, absolute. */
  readonly file: string
  /** Without rules. */
  readonly settings: Settings
  readonly permissions: Pick<Permissions, 'ask' | 'deny'>
  /** Commands of the project at events, as they were trusted. Absent: it has none. */
  readonly hooks?: NonNullable<Settings['hooks']>
  readonly warnings: readonly OpenWarning[]
}

/** Names that are never settings of a project. */
const noSettings: readonly string[] = ['trust', 'extensions']

/** @param users the settings of the user's file @throws Failure `bad_config` naming file, key and reason */
export function readProjectLayer(project: TrustedProject, users: Settings, facts: TighteningFacts): ProjectLayer {
  const file = path.join(project.folder, projectSettingsPath)
  const foreign = foreignFiles(project.folder)
  if (project.settings === undefined) return { file, settings: {}, permissions: {}, warnings: foreign }
  const ignored: string[] = []
  const checked = checkSettingsText(file, project.settings, ignored)
  const { hooks, ...written } = checked.settings
  const { permissions = {}, ...settings } = tighten(written, users, facts, ignored)
  const { ask, deny } = permissions
  return {
    file,
    settings,
    permissions: { ...(ask === undefined ? {} : { ask }), ...(deny === undefined ? {} : { deny }) },
    ...(hooks === undefined ? {} : { hooks }),
    warnings: [...ignoredWarnings(file, ignored), ...checked.warnings, ...foreign],
  }
}

function checkSettingsText(file: string, text: Buffer, ignored: string[]): CheckedSettings {
  return checkJsonText(file, text.toString('utf8'), (written) => {
    const content = isRecord(written) ? withoutKeys(written, noSettings, ignored) : written
    return checkSettingsFile(file, content)
  })
}

/** The commands that trust of the folder lets run; empty without any. @throws Failure `bad_config`, as `readProjectLayer` */
export function projectHooks(file: string, settings: Buffer | undefined): CommandHooks {
  return (settings && checkSettingsText(file, settings, []).settings.hooks) ?? {}
}

/** The project's settings over the user's. */
export function mergeProject(users: Settings, { settings }: ProjectLayer): Settings {
  return settingKeys().reduce(
    (merged, { key }) => {
      const value = settingAt(settings, key)
      return value === undefined ? merged : withSetting(merged, key, value)
    },
    withoutUsualModel(users, settings),
  )
}

/** `models.default` and `model` name the same: the one of a later layer replaces both. */
export function withoutUsualModel(below: Settings, { model, models }: Settings): Settings {
  if (model === undefined || models?.default !== undefined || below.models?.default === undefined) return below
  const { default: _, ...others } = below.models
  return { ...below, models: others }
}

function tighten(written: Settings, users: Settings, facts: TighteningFacts, ignored: string[]): Settings {
  return settingKeys().reduce<Settings>((layer, { key }) => {
    const requested = settingAt(written, key)
    if (requested === undefined) return layer
    const { value, reason } = (tighteningRules[key] ?? withoutRule)(requested, settingAt(users, key), facts)
    if (reason !== undefined) ignored.push(`${key}: ${reason}`)
    return value === undefined ? layer : withSetting(layer, key, value)
  }, {})
}

function withoutKeys(written: Readonly<Record<string, unknown>>, names: readonly string[], ignored: string[]): unknown {
  const rest = Object.entries(written).filter(([name]) => {
    if (!names.includes(name)) return true
    ignored.push(`${name}: they are not settings of a project`)
    return false
  })
  return Object.fromEntries(rest)
}

/** Warns of each setting without effect, and counts the rest: `config_project_ignored`. */
function ignoredWarnings(file: string, ignored: readonly string[]): OpenWarning[] {
  const more = ignored.length - maxNamed
  const named = ignored.slice(0, maxNamed).map((words) => `${file}: the project cannot set ${words}`)
  const messages = more > 0 ? [...named, `${file}: the project cannot set ${more} more keys either`] : named
  return messages.map((message) => ({ code: 'config_project_ignored', message, context: { file } }))
}

/** Endpoints, headers and keys come from the user's folder alone. */
function foreignFiles(folder: string): OpenWarning[] {
  return ['models.json', 'auth.json'].flatMap((name) => {
    const file = path.join(folder, '.rxpi', name)
    if (!existsSync(file)) return []
    const message = `${file} is not read: endpoints and keys come from your own configuration only`
    return [{ code: 'config_project_ignored', message, context: { file } }]
  })
}
