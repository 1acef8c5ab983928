import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { compiledBeforehand, schemasToCompile } from '../../image/compile-schemas.ts'
import * as source from '../../src/jsonapi/schemas/validate.ts'
import type { JsonSchema } from '../../src/resource/field.ts'
import type { Problem } from '../../src/resource/problem.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A schema that the bundle has no validator of would be compiled when it is needed. */
const withoutAjv: Plugin = {
  name: 'without-ajv',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/jsonapi\/ajv\.ts$/ }, () => ({
      contents: "export const ajvOf = () => { throw new Error('the schema was not compiled beforehand') }",
    }))
  },
}

/** Validators that were compiled beforehand say the same as those of the source. */
describe('the validators of the bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-validators-'))
  let bundled: typeof source

  before(async () => {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: { validate: 'src/jsonapi/schemas/validate.ts' },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      minify: true,
      metafile: true,
      plugins: [compiledBeforehand, withoutAjv],
      banner: {
        js: `import { createRequire as requireFrom } from 'node:module';const require=requireFrom(import.meta.url);`,
      },
    })
    assert.ok(Object.keys(metafile.outputs).length > schemasToCompile().size, 'one file for each schema')
    bundled = await import(join(folder, 'validate.mjs'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const schema of schemasToCompile().values())
    it(`agree on ${Object.keys(schema.properties ?? {})
      .join(', ')
      .slice(0, 80)}`, async () => {
      let refused = 0
      for (const value of valuesFor(schema)) {
        const [ours, theirs] = [
          await problemsOf(source, schema, value),
          await problemsOf(bundled, schema, value),
        ]
        assert.deepEqual(theirs, ours, JSON.stringify(value))
        if (ours.length > 0) refused++
      }
      assert.ok(refused > 3, `${refused} values were refused`)
    })
})

const wrongs: unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e30,
  '',
  'x'.repeat(1_200),
  '2026-02-30',
  '2026-11-24',
  'a@b',
  '01890a5d-ac96-774b-bcce-b302099a8057',
  '300.1.1.1',
  [],
  [{}],
  ['a', 'a'],
  {},
  { a: {} },
]

/** Values that are no object, and objects of which each property has had each wrong value. */
function valuesFor({ properties = {} }: JsonSchema): unknown[] {
  const names = Object.keys(properties as object)
  return [
    ...wrongs,
    { nobodyKnows: 1 },
    ...names.flatMap((name) => wrongs.map((value) => ({ [name]: value }))),
    ...wrongs.map((value) => Object.fromEntries(names.map((name) => [name, value]))),
  ]
}

async function problemsOf(
  { validate }: Pick<typeof source, 'validate'>,
  schema: JsonSchema,
  value: unknown,
): Promise<unknown[]> {
  try {
    await validate(schema, value)
    return []
  } catch (error) {
    // The bundle has its own class of the same name.
    if (!(error instanceof Error && 'others' in error)) throw error
    const { others } = error as Problem
    return [error as Problem, ...others].map(({ message, code, options }) => ({ message, code, options }))
  }
}
