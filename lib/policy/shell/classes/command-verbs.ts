// Reads the verb of a call such as `npm --prefix app install`: operands without values of options.

/** Options that take the next word, by program. */
const valued: Readonly<Record<string, string>> = {
  npm: '--prefix -C -w --workspace --registry --tag --otp --access --userconfig --cache --loglevel --omit --include --node-options',
  pnpm: '--prefix -C --dir -F --filter --registry --tag --otp --access --reporter --loglevel --config',
  yarn: '--cwd --registry --tag --access --use-yarnrc --modules-folder',
  bun: '--cwd --config -c --registry --tag',
  npx: '--registry --prefix -w --workspace',
  cargo: '--manifest-path -p --package --registry --token --target-dir --features --color -C --config -Z --target',
  docker: '-H --host --context -c --config -l --log-level',
  podman: '--url --connection -c --root --log-level',
  gh: '-R --repo --hostname',
  glab: '-R --repo',
  kubectl: '-n --namespace --context --kubeconfig --cluster --user -s --server --as',
  oc: '-n --namespace --context --kubeconfig',
  helm: '-n --namespace --kube-context --kubeconfig',
  aws: '--profile --region --endpoint-url --output --query --cli-input-json',
  gcloud: '--project --account --configuration --format --region --zone',
  az: '--subscription --output -o --query',
  pip: '--proxy --cache-dir --timeout --log --python --retries',
  poetry: '-C --directory -P --project',
  uv: '--project --directory --cache-dir --config-file --python -p',
  pdm: '-p --project',
  mvn: '-f --file -pl --projects -P -s --settings -T --threads -l -gs',
  gradle: '-p --project-dir -b -x -I --init-script -g',
  gradlew: '-p --project-dir -b -x -I --init-script -g',
  composer: '-d --working-dir',
  bundle: '--gemfile --path --jobs -j',
  gem: '--key --host -k',
  apt: '-o -t -c',
  'apt-get': '-o -t -c',
  terraform: '',
  turbo: '--filter --cwd',
  heroku: '-a --app -r',
  fly: '-a --app -c --config',
  flyctl: '-a --app -c --config',
  vercel: '--cwd --scope -t --token -S',
  netlify: '--site -s --auth --filter',
  wrangler: '-c --config -e --env',
  firebase: '-P --project -c --config --only',
}

/** The operands in front of `--`. A script's own words are the caller's affair. */
export function commandWords(program: string, args: readonly string[]): readonly string[] {
  const options = (Object.hasOwn(valued, program) ? (valued[program] ?? '') : '').split(' ')
  const words: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--') break
    if (word.startsWith('-') && word !== '-') at += options.includes(word) ? 1 : 0
    else if (!(program === 'cargo' && word.startsWith('+'))) words.push(word)
  }
  return program === 'yarn' ? ofWorkspace(words) : words
}

/** `yarn workspace NAME add x` and `yarn workspaces foreach npm publish` are about the words after. */
function ofWorkspace(words: readonly string[]): readonly string[] {
  if (words[0] === 'workspace') return words.slice(2)
  return words[0] === 'workspaces' && words[1] === 'foreach' ? words.slice(2) : words
}
