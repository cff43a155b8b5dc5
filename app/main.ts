// The command: `bin/start.js` calls it with what stands after the command's name; nothing heavy is imported here.
import { parseArgs } from 'node:util'

const help = `rxpi — a coding agent that runs headless

Usage: rxpi [options]

  --version  print the version
  --help     print this help
`

/** Runs the command; the exit code is left in `process.exitCode`: 0 done, 2 wrong usage. */
export function main(commandLine: readonly string[]): void {
  try {
    const { values } = parseArgs({
      args: [...commandLine],
      options: { version: { type: 'boolean' }, help: { type: 'boolean' } },
    })
    process.stdout.write(values.version === true ? `${RXPI_VERSION ?? 'development'}\n` : help)
  } catch (error) {
    process.stderr.write(`rxpi: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
}
