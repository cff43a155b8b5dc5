// Runs `rxpi config`: lists, prints and changes the settings of the user.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Setting } from '../../lib/streams/commands/config-commands.ts'
import type { ConfigInvocation, ConfigListInvocation } from '../cli/config-arguments.ts'
import { currentFolder } from '../process/current-folder.ts'
import { endAtSignal } from '../process/end-at-signal.ts'
import { report } from '../process/progress.ts'
import type { World } from '../process/world.ts'

/** Emits the exit code; 1 if `get` finds no value. */
export function config(invocation: ConfigInvocation, world: World): Observable<number> {
  return runAction(invocation, world).pipe(endAtSignal(world.signals$))
}

function runAction(invocation: ConfigInvocation, { client, env, stdout, stderr }: World): Observable<number> {
  const { json } = invocation
  const context = { cwd: currentFolder(), env: { ...env } }
  switch (invocation.action) {
    case 'list':
      return client.request({ type: 'config_list', ...context, ...trustOf(invocation) }).pipe(
        map(({ warnings = [], ...result }) => {
          const settings = result.settings.map((setting) => withFlag(setting, invocation.flags))
          if (json) stdout.json(JSON.stringify({ ...result, settings, ...(warnings.length === 0 ? {} : { warnings }) }))
          else stdout.text(settings.map((setting) => lineOf(setting, result)).join(''))
          for (const warning of warnings) report(stderr, warning)
          if (!json) report(stderr, `your settings are in ${result.file}; a line with # is the default`)
          return 0
        }),
      )
    case 'get':
      return client.request({ type: 'config_get', ...context, key: invocation.key, ...trustOf(invocation) }).pipe(
        map((result) => {
          const setting = withFlag(result.setting, invocation.flags)
          if (json) stdout.json(JSON.stringify({ ...result, setting }))
          else if (setting.value !== undefined) stdout.text(`${valueText(setting.value)}\n`)
          return setting.value === undefined ? 1 : 0
        }),
      )
    case 'set':
    case 'unset': {
      const value = invocation.action === 'set' ? invocation.value : null
      return client.request({ type: 'config_set', ...context, key: invocation.key, value }).pipe(
        map((result) => {
          if (json) stdout.json(JSON.stringify(result))
          const { from, variable } = result.setting
          if (from === 'environment')
            report(stderr, `${variable ?? 'the environment'} overrides the value that was written`)
          if (from === 'project') report(stderr, 'the project in this folder overrides the value that was written')
          return 0
        }),
      )
    }
  }
}

/** A setting as the command line sees it: an option overrides every layer. */
type ShownSetting = Omit<Setting, 'from'> & { readonly from?: Setting['from'] | 'flag'; readonly flag?: string }

function withFlag(setting: Setting, flags: ConfigListInvocation['flags']): ShownSetting {
  const flag = flags[setting.key]
  return flag === undefined ? setting : { ...setting, value: flag.value, from: 'flag', flag: flag.name }
}

function trustOf({ trust }: Pick<ConfigListInvocation, 'trust'>): { readonly trust?: boolean } {
  return trust === undefined ? {} : { trust }
}

function lineOf(
  setting: ShownSetting,
  files: { readonly file: string; readonly project?: string | undefined },
): string {
  const { key, value, takes, default: usual } = setting
  if (value !== undefined) return `${key} = ${valueText(value)}  (${sourceOf(setting, files)})\n`
  return usual === undefined ? `# ${key}  (${takes})\n` : `# ${key} = ${valueText(usual)}  (default; ${takes})\n`
}

function sourceOf(
  { from, flag, variable }: ShownSetting,
  { file, project }: { readonly file: string; readonly project?: string | undefined },
): string {
  switch (from) {
    case 'flag':
      return flag ?? 'the command line'
    case 'environment':
      return variable ?? 'the environment'
    case 'project':
      return project ?? 'the project'
    default:
      return file
  }
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
