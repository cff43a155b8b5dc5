// Sets what the build puts in place of names, for a program that runs from the sources.
import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string } // prettier-ignore
Object.assign(globalThis, { RXPI_VERSION: version })
