import ajvs from 'ajv'
import { formats } from './formats.ts'

/** Whether validation stops at the first error or finds all errors. */
export type Depth = 'first' | 'all'

type CodeOptions = NonNullable<ConstructorParameters<typeof ajvs.Ajv>[0]>['code']

/** Returns a compiler of schemas. `code` says how validators are written that are stored in files. */
export function ajvOf(depth: Depth, code: CodeOptions = {}) {
  const ajv = new ajvs.Ajv({
    allErrors: depth === 'all',
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    // An error then contains its schema; the schema's description or $comment explains its pattern.
    verbose: true,
    // The schemas are the program's own: strict mode finds a misspelled keyword, and tests check the document with all of
    // them. Ajv's own check would block the first body for 15 ms longer, and need 2 MB.
    meta: false,
    validateSchema: false,
    // Compiling blocks every request, and optimizing the generated code would take half as long again without
    // making it faster.
    code: { optimize: false, ...code },
  })
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
  return ajv
}
