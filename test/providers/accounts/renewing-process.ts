// Asks for the access token of an account when its input says so, with a mock in place of the vendor.
// `node renewing-process.ts HOME PORT`
import { createInterface } from 'node:readline'
import { httpFetch } from '../../../lib/host/http/http-fetch.ts'
import { createAccountSource, vendorRenewal } from '../../../lib/providers/accounts/account-source.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const [home = '', port = ''] = process.argv.slice(2)
const storage = fileAccountStorage({ home })
const fetch: typeof globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  return httpFetch(`http://127.0.0.1:${port}/${url.host}${url.pathname}${url.search}`, init)
}
const accounts = createAccountSource({ storage, renew: vendorRenewal(fetch) })

process.stdout.write('ready\n')
for await (const provider of createInterface({ input: process.stdin })) {
  const [account] = storage.list(provider)
  if (account === undefined) throw new Error(`no account of ${provider}`)
  accounts.access(account).subscribe({
    next: (token) => process.stdout.write(`${token}\n`),
    error: (error: unknown) => process.stdout.write(`failed: ${Failure.from(error).message}\n`),
  })
}
