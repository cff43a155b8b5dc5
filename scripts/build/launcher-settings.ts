// Writes the memory settings that bin/rxpi applies as a shell script, which the launcher sources.
import type { MemorySetting } from '../../lib/server/launch/memory-settings.ts'
import { memorySettings } from '../../lib/server/launch/memory-settings.ts'

/** The text of `dist/memory.sh`. It sets `flags` for Node and, for `rxpi serve`, exports the allocator's variables. */
export function launcherSettings(): string {
  const flag = ({ key, value }: MemorySetting): string => `flags="$flags ${key}=${value}"`
  const variable = ({ key, value }: MemorySetting): string => `export ${key}="\${${key}:-${value}}"`
  return [
    '# Written by the build from lib/server/launch/memory-settings.ts.',
    'has() { case ",${RXPI_WITHOUT-}," in *",$1,"*) return 1 ;; esac; }',
    'flags=',
    ...memorySettings('node', {}).map((setting) => `if has ${setting.name}; then ${flag(setting)}; fi`),
    'if [ "${1-}" = serve ]; then',
    ...memorySettings('malloc', {}).map((setting) => `  if has ${setting.name}; then ${variable(setting)}; fi`),
    'fi',
    '',
  ].join('\n')
}
