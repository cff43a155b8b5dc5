// Runs `rxpi config`: lists, prints and changes the settings of the user.
import { map } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Setting } from '../../lib/streams/commands/config-commands.ts'
import type { ConfigInvocation } from '../cli/config-arguments.ts'
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
      return client.request({ type: 'config_list', ...context }).pipe(
        map((result) => {
          if (json) stdout.json(JSON.stringify(result))
          else stdout.text(result.settings.map(lineOf).join(''))
          if (!json) report(stderr, `the settings are in ${result.file}; a line with # is not set`)
          return 0
        }),
      )
    case 'get':
      return client.request({ type: 'config_get', ...context, key: invocation.key }).pipe(
        map((result) => {
          if (json) stdout.json(JSON.stringify(result))
          else if (result.setting.value !== undefined) stdout.text(`${valueText(result.setting.value)}\n`)
          return result.setting.value === undefined ? 1 : 0
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
          return 0
        }),
      )
    }
  }
}

function lineOf({ key, value, from, variable, takes }: Setting): string {
  if (value === undefined) return `# ${key} (${takes})\n`
  return `${key} = ${valueText(value)}${from === 'environment' ? `  (from ${variable ?? 'the environment'})` : ''}\n`
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
