// Reads which packages are installed: `packages/packages.json` in rxpi's state folder.
// Guarantees: a private file (0600); one that others can write is refused.
import path from 'node:path'
import { readPrivateText } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import type { PackagesFile, InstalledPackage } from '../../streams/config/packages-schema.ts'
import { checkPackagesFile } from '../../streams/validation/file-validators.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { describeJsonFault } from '../../streams/values/json-fault.ts'

const maxBytes = 4_194_304

export function packagesFolder(home: string): string {
  return path.join(home, 'packages')
}

export function packagesFile(home: string): string {
  return path.join(packagesFolder(home), 'packages.json')
}

/** The folder that holds the package with its dependencies: what its digest covers. */
export function packageRoot(home: string, { key, link }: Pick<InstalledPackage, 'key' | 'link'>): string {
  return link ?? path.join(packagesFolder(home), 'installed', key)
}

/** The folder of the package itself, inside its root. */
export function packageFolder(
  home: string,
  { folder, ...located }: Pick<InstalledPackage, 'key' | 'link' | 'folder'>,
): string {
  return path.join(packageRoot(home, located), folder)
}

/** In the order of their installation. @throws Failure `bad_config` for a damaged file */
export function installedPackages(home: string): readonly InstalledPackage[] {
  const file = packagesFile(home)
  try {
    const text = readPrivateText(file, maxBytes)
    if (text === undefined) return []
    const checked = checkPackagesFile(parse(text))
    if (!checked.ok) throw new Error(checked.problem)
    return checked.value.packages
  } catch (error) {
    const message = `${file} lists the installed packages and is not valid: ${describeThrown(error)}; mend or remove it`
    throw new Failure('bad_config', message, { data: { file } })
  }
}

/** Replaces the list at once; the caller holds its lock. @throws Failure `storage` */
export function writePackages(home: string, packages: readonly InstalledPackage[]): void {
  const content: PackagesFile = { v: 1, packages: [...packages] }
  replacePrivateFile(packagesFile(home), `${JSON.stringify(content, undefined, 2)}\n`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(describeJsonFault(text))
  }
}
