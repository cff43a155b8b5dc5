// A server of version 2 without sessions; ends at a shutdown: `node serving-process.ts <socket>`.
import { createServer } from '../../lib/server/create-server.ts'
import { serve } from '../../lib/server/serve.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { fakeBackend } from './fake-backend.ts'

const [path = ''] = process.argv.slice(2)
const server = createServer({ host: fakeBackend(), version: '2', socket: path, startedBy: 'client' })

serve(server, { path }).subscribe({
  error: (error: unknown) => {
    process.stderr.write(`rxpi: ${Failure.from(error).message}\n`)
    process.exitCode = 1
  },
})
