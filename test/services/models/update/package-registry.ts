// Serves one package with models from a registry on this machine, and makes its tarballs.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { catalogueSource } from '../../../../lib/providers/catalogue-data/index.ts'

export const model = {
  ...{ id: 'm', name: 'M', type: 'chat', api: 'openai-completions', provider: 'groq', baseUrl: 'https://x.invalid' },
  ...{ reasoning: false, input: ['text'], contextWindow: 10, maxTokens: 5 },
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
}

/** A gzipped tarball of these files, as npm packs them. */
export async function tarballOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name: `package/${name}`, size: Buffer.byteLength(body), type: 'file' as const },
    body,
  }))
  return gzipSync(await packTar(entries))
}

/** A package whose scripts would fail the test if one of them ran. */
export function filesOf(version: string, data: Readonly<Record<string, unknown>>): Record<string, string> {
  const scripts = {
    preinstall: 'exit 1',
    install: 'exit 1',
    postinstall: 'exit 1',
    prepack: 'exit 1',
    prepare: 'exit 1',
  }
  const lists = Object.entries(data).map(([name, groups]) => [
    `dist/providers/data/${name}.json`,
    typeof groups === 'string' ? groups : JSON.stringify(groups),
  ])
  return {
    'package.json': JSON.stringify({ name: catalogueSource.name, version, scripts }),
    'dist/index.js': 'throw new Error("it ran")',
    ...(Object.fromEntries(lists) as Record<string, string>),
  }
}

export interface Published {
  readonly version: string
  readonly content: Buffer
  readonly date?: string
  /** Of another content. Default: of this one; null: none. */
  readonly integrity?: string | null
}

export interface Registry {
  readonly address: string
  /** What is asked for, without the host. */
  readonly requests: string[]
  publish(published: Published): void
  close(): Promise<unknown>
}

export async function startRegistry(): Promise<Registry> {
  const requests: string[] = []
  let published: Published | undefined
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const address = addressOf(server)
    if (published === undefined) response.writeHead(404).end('{}')
    else if (request.url?.endsWith('.tgz') === true) response.end(published.content)
    else response.end(JSON.stringify(describe(published, address)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: addressOf(server),
    requests,
    publish: (next) => (published = next),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function describe({ version, content, date = '2027-01-02', integrity }: Published, address: string): object {
  const { name } = catalogueSource
  const own = `sha512-${createHash('sha512').update(content).digest('base64')}`
  const shasum = createHash('sha1').update(content).digest('hex')
  const dist = {
    tarball: `${address}/p-${version}.tgz`,
    shasum,
    ...(integrity === null ? {} : { integrity: integrity ?? own }),
  }
  return {
    ...{ _id: name, name, 'dist-tags': { latest: version }, time: { [version]: `${date}T10:00:00.000Z` } },
    versions: { [version]: { name, version, license: 'MIT', dist } },
  }
}
