// Lists programs that projects have among their own packages: `npx NAME` fetches none of them.

const names = new Set(
  `tsc tsx tsd ts-node ts-node-dev eslint prettier biome oxlint oxfmt xo standard stylelint tslint dprint vitest jest mocha ava tap uvu jasmine karma
  cypress playwright wdio c8 nyc istanbul codecov webpack webpack-cli webpack-dev-server rollup rolldown vite vite-node esbuild swc babel parcel tsup
  tsdown unbuild microbundle turbo nx lerna rush changeset next nuxt nuxi astro gatsby remix react-router react-scripts svelte-check svelte-kit vue-tsc
  vue-cli-service ng nest ember storybook sb tailwindcss postcss sass lessc knip depcheck madge dependency-cruiser depcruise husky lint-staged commitlint
  cz prisma drizzle-kit sequelize sequelize-cli knex typeorm mikro-orm graphql-codegen openapi-typescript buf typedoc jsdoc api-extractor rimraf shx
  cross-env cross-env-shell dotenv dotenvx concurrently nodemon pm2 npm-run-all run-s run-p wait-on kill-port fkill fkill-cli http-server serve live-server
  json-server browser-sync wrangler vercel netlify firebase firebase-tools netlify-cli aws-cdk cdk sls serverless sst expo react-native cap ionic cordova electron electron-builder
  electron-forge hardhat truffle semantic-release standard-version release-it np vsce ovsx web-ext npm-check-updates ncu publint attw arethetypeswrong
  size-limit bundlesize markdownlint markdownlint-cli2 cspell alex zx tldr del-cli patch-package syncpack manypkg sort-package-json eas metro
  babel-node swcx node-gyp prebuildify terser uglifyjs html-minifier svgo imagemin workbox lhci lighthouse pa11y axe license-checker auto-changelog
  conventional-changelog commit-and-tag-version gh-pages surge degit tsimp mcp-inspector`.split(/\s+/),
)
const scopes =
  /^@(?:angular|babel|biomejs|changesets|commitlint|cyclonedx|electron|eslint|graphql-codegen|nestjs|playwright|prisma|redocly|remix-run|rollup|storybook|swc|tailwindcss|tauri-apps|vscode|vue)\//

/** True if a project that uses the program has it installed. Another name is fetched and run. */
export function isProjectProgram(name: string): boolean {
  return names.has(name) || scopes.test(name)
}
