// The room of extensions: hook commands, manifests, loading, and the extensions of a session.
export { commandHooks } from './command-hooks/command-hooks.ts'
export type { CommandHookOptions } from './command-hooks/ask-commands.ts'
export { findExtensions } from './discovery/find-extensions.ts'
export type { FoundExtensions } from './discovery/find-extensions.ts'
export type { ExtensionSource } from './discovery/extension-source.ts'
export { declaredCapabilities } from './discovery/declared-capabilities.ts'
export { extensionTrust } from './trust/extension-trust.ts'
export type { ExtensionTrust } from './trust/extension-trust.ts'
export { trustState } from './trust/trust-records.ts'
export { installPackage, listPackages, removePackage, updatePackages } from './packages/manage-packages.ts'
export type { ListedPackage, PackagesOptions } from './packages/manage-packages.ts'
export { contentDigest } from './discovery/content-digest.ts'
export { defineExtension } from './api/define-extension.ts'
export type { ExtensionDefinition, ExtensionManifest } from './api/define-extension.ts'
export type {
  ExecOptions,
  ExecResult,
  ExtensionApi,
  ExtensionCommand,
  ExtensionCommandAnswer,
  ExtensionSession,
  ExtensionCommandType,
  ExtensionSessionCommand,
  HookOptions,
  PriorityOption,
  Registration,
} from './api/extension-api.ts'
export type { ExtensionModelsApi } from './api/models-contract.ts'
export type {
  EventRenderer,
  ExtensionUiApi,
  KeyBinding,
  MessageRenderer,
  RenderedResult,
  ThemeDefinition,
  ToolRenderer,
} from './api/extension-ui.ts'
export type {
  AgentStartAnswer,
  AgentStartInput,
  CompactAnswer,
  ExtensionHook,
  ExtensionHookTypes,
  HookName,
  ModelRequestAnswer,
  ModelRequestInput,
  ModelResponseInput,
  SessionStartInput,
  SessionSwitchInput,
  UserBashAnswer,
  UserCommandEnd,
} from './api/extension-hooks.ts'
export type { OpenSurface, SurfaceComponent } from './api/surface-component.ts'
export type { CompletionRequest } from './api/completion-request.ts'
export { extensionSet } from './lifecycle/extension-set.ts'
export type { ExtensionSet, ExtensionSetOptions } from './lifecycle/set-contract.ts'

export { loadModule } from './loader/load-module.ts'
export type { ModuleFile } from './loader/load-module.ts'
export { readDefinition } from './manifest/read-manifest.ts'
