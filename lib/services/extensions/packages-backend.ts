// Answers the commands about packages.
import { defer, map, of } from 'rxjs'
import { installPackage, listPackages, removePackage, updatePackages } from '../../extensions/index.ts'
import type { ListedPackage, PackagesOptions } from '../../extensions/index.ts'
import type { PackageRow } from '../../streams/commands/package-commands.ts'
import type { ExtensionsBackend } from '../contract/server-backend.ts'
import { checkFolder } from '../stored/check-path.ts'

type PackagesPart = Pick<ExtensionsBackend, 'installPackage' | 'listPackages' | 'removePackage' | 'updatePackages'>

export function createPackagesPart(options: PackagesOptions): PackagesPart {
  return {
    installPackage: ({ source, cwd, env = {} }) =>
      defer(() => {
        checkFolder(cwd)
        return installPackage(source, { cwd, env }, options).pipe(map((found) => ({ package: rowOf(found) })))
      }),
    listPackages: () => defer(() => of({ packages: listPackages(options.home).map(rowOf) })),
    removePackage: (command) =>
      removePackage(command.package, options).pipe(map(({ name, source }) => ({ name, source }))),
    updatePackages: ({ package: wanted, cwd, env = {} }) =>
      defer(() => {
        checkFolder(cwd)
        return updatePackages(wanted, { cwd, env }, options).pipe(map((found) => ({ packages: found.map(rowOf) })))
      }),
  }
}

function rowOf({ name, source, version, integrity, pinned, path, contents }: ListedPackage): PackageRow {
  const { extensions, skills, prompts, themes, scenarios } = contents.found
  return {
    ...{ name, source, pinned, path },
    ...(version === undefined ? {} : { version }),
    ...(integrity === undefined ? {} : { integrity }),
    ...{ extensions: [...extensions], skills: [...skills], prompts: [...prompts] },
    ...{ themes: [...themes], scenarios: [...scenarios], problems: contents.problems.map((each) => ({ ...each })) },
  }
}
