import { _ } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import type { Plugin } from 'esbuild'
import { keyBodySchema } from '../src/access/resources/key-request.ts'
import { resources } from '../src/composition/api.ts'
import { bodySchemas } from '../src/jsonapi/body.ts'
import { ajvOf } from '../src/jsonapi/schemas/ajv.ts'
import { digestOf } from '../src/jsonapi/schemas/schema-digest.ts'
import { messages } from '../src/pms/adapters/cloudevents/messages/messages.ts'
import { changeSchemas, pageSchema } from '../src/pms/sync/inbound/received.ts'
import { partialStay, wholeReservation, wholeStay } from '../src/reservation/stays/stay-body.ts'
import type { JsonSchema } from '../src/resource/field.ts'

/**
 * The schemas whose validators are part of the bundle, by their digests. They are those of guests and of a PMS: compiling one
 * while a guest waits stops every request, for half a second on a small computer. Schemas that are not listed are compiled
 * when they are first needed.
 */
export function schemasToCompile(): Map<string, JsonSchema> {
  const schemas: JsonSchema[] = [
    ...[...resources.values()].flatMap((resource) => Object.values(bodySchemas(resource))),
    wholeReservation,
    wholeStay,
    partialStay,
    keyBodySchema,
    pageSchema,
    ...Object.values(changeSchemas),
    ...Object.values(messages).map(({ data }) => data),
  ]
  return new Map(schemas.map((schema) => [digestOf(schema), schema]))
}

/** Puts the validators of `schemasToCompile` into the bundle, each in a file of its own that is read when it is needed. */
export const compiledBeforehand: Plugin = {
  name: 'compiled-schemas',
  setup({ onLoad, onResolve }) {
    const schemas = schemasToCompile()
    const root = new URL('..', import.meta.url).pathname
    onLoad({ filter: /\/src\/jsonapi\/schemas\/compiled-schemas\.ts$/ }, () => ({
      contents: `export const compiledSchemas = {${[...schemas.keys()].map(imported).join()}}`,
    }))
    onResolve({ filter: /^validator:/ }, ({ path }) => ({ path: path.slice(10), namespace: 'validator' }))
    onLoad({ filter: /./, namespace: 'validator' }, ({ path }) => ({
      contents: validatorOf(schemas.get(path)!),
      resolveDir: root,
    }))
  },
}

const imported = (digest: string) => `'${digest}': () => import('validator:${digest}')`

/** The source of the validator of a schema, as an ES module. */
function validatorOf(schema: JsonSchema): string {
  const ajv = ajvOf('all', {
    source: true,
    esm: true,
    formats: _`require("./src/jsonapi/schemas/formats.ts").formats`,
  })
  return standalone.default(ajv, ajv.compile(schema))
}
