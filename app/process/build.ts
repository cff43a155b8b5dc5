// The build that this process runs from (scripts/build/switch-build.ts), by the name of its folder; sources that are run as they stand are none.
export const build = /\/dist\/([0-9a-f]{12})\//.exec(import.meta.filename)?.[1]
