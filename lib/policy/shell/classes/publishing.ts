// Finds commands that publish packages, images or releases.
import { operandsOf } from './call.ts'
import type { Call } from './call.ts'

/** By program: the operands in front that publish, joined by blanks. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  npm: ['publish', 'unpublish', 'deprecate', 'dist-tag add', 'dist-tag rm', 'access', 'owner add'],
  pnpm: ['publish', 'recursive publish'],
  yarn: ['publish', 'npm publish', 'npm tag add'],
  bun: ['publish'],
  cargo: ['publish', 'yank', 'owner'],
  twine: ['upload'],
  poetry: ['publish'],
  uv: ['publish'],
  flit: ['publish'],
  hatch: ['publish'],
  pdm: ['publish'],
  gem: ['push', 'yank'],
  docker: ['push', 'image push', 'compose push', 'manifest push'],
  podman: ['push', 'image push'],
  buildah: ['push'],
  skopeo: ['copy'],
  helm: ['push'],
  gh: ['release create', 'release upload', 'release delete', 'repo delete', 'repo create', 'gist create', 'pr merge'],
  glab: ['release create', 'mr merge'],
  mvn: ['deploy', 'clean deploy', 'release:perform'],
  gradle: ['publish', 'uploadArchives', 'publishPlugins'],
  gradlew: ['publish', 'uploadArchives', 'publishPlugins'],
  dotnet: ['nuget push'],
  nuget: ['push'],
  goreleaser: ['release'],
  'semantic-release': [''],
  lerna: ['publish'],
  changeset: ['publish'],
  'release-it': [''],
  np: [''],
  vsce: ['publish'],
  ovsx: ['publish'],
  jsr: ['publish'],
  deno: ['publish', 'deploy'],
  pod: ['trunk push'],
  mix: ['hex.publish'],
  conda: ['upload'],
  anaconda: ['upload'],
  snapcraft: ['upload', 'push'],
  wrangler: ['deploy', 'publish', 'pages deploy'],
  vercel: ['deploy', '--prod'],
  netlify: ['deploy'],
  firebase: ['deploy'],
  fly: ['deploy'],
  flyctl: ['deploy'],
  serverless: ['deploy'],
  gcloud: ['app deploy', 'run deploy', 'functions deploy'],
  surge: [''],
}

export function publishFindings({ program, args, run, invocation }: Call): void {
  if (args.some((word) => /^(?:--dry-run|--dry|-n|--help|-h|--version|--snapshot)(?:=true)?$/.test(word))) return
  const operands = operandsOf(args).join(' ')
  const known = Object.hasOwn(verbs, program) ? (verbs[program] ?? []) : []
  const isVerb = known.some(
    (verb) => verb === '' || operands === verb || operands.startsWith(`${verb} `) || args.includes(verb),
  )
  const isBuild = /^(?:docker|podman)$/.test(program) && args.includes('--push')
  const isSetup =
    /^python[\d.]*$/.test(program) && /^(?:setup\.py|-m twine)\b/.test(args.join(' ')) && args.includes('upload')
  if (isVerb || isBuild || isSetup) run.find('publishing', invocation, 'publishes to other people')
}
