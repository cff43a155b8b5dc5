// Name of the build that this process runs (scripts/build/switch-build.ts); undefined for sources.
export const build = /\/dist\/([0-9a-f]{12})\//.exec(import.meta.filename)?.[1]
