// Gathers what the extensions of a session are opened with.
import type { ExtensionSet } from '../../extensions/index.ts'
import { httpFetch } from '../../host/http/http-fetch.ts'
import { extensionFetch } from '../../session/extensions/extension-fetch.ts'
import { extensionSkillFolders } from '../../session/create/extension-texts.ts'
import { refuseProvider } from '../../session/create/refuse-provider.ts'
import type { UserConfiguration } from '../models/configured-model.ts'
import type { OpenedExtensions } from '../extensions/open-extensions.ts'
import { sessionSecrets } from '../../session/create/session-secrets.ts'
import type { OpenExtensionsOptions } from '../extensions/run-extension.ts'
import type { OpenParts } from './open-parts.ts'
import { ownTools } from './own-tools.ts'

/** Options shared by all sessions of a server. */
export interface ServerExtensions extends Pick<OpenExtensionsOptions, 'trust' | 'rxpiVersion'> {
  /** Files and folders that each session has, absolute. */
  readonly paths: readonly string[]
}

interface ExtensionParts extends Pick<OpenParts, 'setup' | 'own' | 'configuration' | 'trust'> {
  /** `$RXPI_HOME`. */
  readonly home: string
  /** The folder of `settings.json`. */
  readonly config: string
  readonly extensions: ServerExtensions
  /** Of the session. */
  readonly id: string
}

export function extensionOptions({
  home,
  config,
  extensions: { paths, ...extensions },
  id,
  setup,
  own,
  configuration,
  trust,
}: ExtensionParts): OpenExtensionsOptions {
  const { cwd, env = {}, extensions: named = [] } = setup
  const { base, runtime } = ownTools(own, home, configuration.settings)
  const guarded = sessionSecrets({ env, ...configuration })
  return {
    ...extensions,
    own: own.extensions,
    folders: { home, config, project: trust.trusted ? trust.folder : undefined, paths: [...paths, ...named] },
    host: {
      ...{ id, cwd, env: guarded.env, ownTools: [...base, ...runtime] },
      refuseProvider: refuseProvider(configuration.models),
    },
    settings: configuration.settings.extensions,
    isolation: configuration.settings.isolation,
  }
}

/** Made before the extensions of a session are set up; uses them once they are. */
export function lateExtensions() {
  let set: ExtensionSet | undefined
  return {
    /** The fetch of models has their hooks. */
    around: (configuration: UserConfiguration): UserConfiguration => ({
      ...configuration,
      fetch: extensionFetch(configuration.fetch ?? httpFetch, () => set),
    }),
    /** The policy lets their skills be read. */
    rules: { extensionSkills: (): readonly string[] => extensionSkillFolders(set) },
    use: (extensions: OpenedExtensions | undefined): OpenedExtensions | undefined => {
      set = extensions?.set
      return extensions
    },
  }
}
