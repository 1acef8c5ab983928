import assert from 'node:assert/strict'
import { it } from 'node:test'
import { validate } from '../../src/jsonapi/validate.ts'
import { Problem } from '../../src/resource/problem.ts'

it('a body with ever so much wrong in it makes fifty problems and no more', async () => {
  const strays = Object.fromEntries(Array.from({ length: 1_000 }, (_, each) => [`stray${each}`, each]))
  await assert.rejects(validate({ type: 'object', additionalProperties: false }, strays), (error) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.options.pointer, error.others.length], ['/stray0', 49])
    return true
  })
})
