/**
 * Counts the assertions that a process makes: `node --import ./test/runner/count-assertions.ts`. The count is added as a line to the file
 * that ASSERTIONS_FILE names when the process ends.
 */
import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'

let count = 0
const methods = assert as unknown as Record<string, unknown>
for (const [name, own] of Object.entries(methods)) {
  if (typeof own !== 'function' || /^[A-Z]/.test(name) || name === 'strict') continue
  methods[name] = (...values: unknown[]) => {
    count++
    return Reflect.apply(own, assert, values)
  }
}
process.on('exit', () => {
  const file = process.env.ASSERTIONS_FILE
  if (file && count > 0) appendFileSync(file, `${count}\n`)
})
