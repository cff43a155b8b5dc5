// Runs the mock model in its own process, so that it costs the measured commands no CPU time.
import path from 'node:path'
import type { Workspace } from './report.ts'

export interface MockModel {
  /** The base URL of an OpenAI-compatible API. */
  readonly baseUrl: string
  /** Sizes in bytes of the request bodies since the last call. */
  requestSizes(): Promise<number[]>
  /** Ends the server; it also ends with this process. */
  end(): void
}

export async function startMockModel({ root, spawn }: Workspace): Promise<MockModel> {
  const program = path.join(root, 'bench/mock-model-program.ts')
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout?.setEncoding('utf8').once('data', (line: string) => resolve(line.trim()))
    server
      .once('error', reject)
      .once('exit', (code) => reject(new Error(`The mock model ended with exit code ${code}`)))
  })
  return {
    baseUrl: `${address}/v1`,
    requestSizes: async () => (await (await fetch(`${address}/requests`)).json()) as number[],
    end: () => {
      server.stdin?.end()
    },
  }
}
