// Answers an agent's requests about terminals, as an editor does.
import { methods } from '@agentclientprotocol/sdk'
import type { ClientApp } from '@agentclientprotocol/sdk'
import { from, lastValueFrom } from 'rxjs'
import type { ObservableInput } from 'rxjs'
import type { OfferedTerminals } from '../../lib/server/client-tools/terminal-tools.ts'

export function answerTerminals(app: ClientApp, terminals: OfferedTerminals): void {
  const resolve = <Value>(input: ObservableInput<Value>): Promise<Value | undefined> =>
    lastValueFrom(from(input), { defaultValue: undefined })
  const { terminal } = methods.client
  app
    .onRequest(terminal.create, async ({ params: { command, args = [], env = [], cwd, outputByteLimit } }) => {
      const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]))
      const outputBytes = outputByteLimit ?? Infinity
      const id = await resolve(terminals.create({ program: command, args, env: variables, cwd: cwd ?? '/', outputBytes }, '')) // prettier-ignore
      return { terminalId: id ?? '' }
    })
    .onRequest(terminal.output, async ({ params: { terminalId } }) => {
      const { text, truncated } = (await resolve(terminals.output(terminalId))) ?? { text: '', truncated: false }
      return { output: text, truncated }
    })
    .onRequest(
      terminal.waitForExit,
      async ({ params: { terminalId } }) => (await resolve(terminals.exit(terminalId))) ?? {},
    )
    .onRequest(terminal.kill, async ({ params: { terminalId } }) => {
      await resolve(terminals.kill(terminalId))
      return {}
    })
    .onRequest(terminal.release, async ({ params: { terminalId } }) => {
      await resolve(terminals.release(terminalId))
      return {}
    })
}
